"""Word lists for reading findings: what speaks for, what against, what is only context."""

import re


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{part})" for part in parts), re.IGNORECASE)


# The gene is called a passenger, or looked for and not found.
REFUTING = _any(
    r"\bpassengers?\b",
    r"\bfalse[- ]positives?\b",
    r"\bimplausible\b",
    r"\bspurious",
    r"\bbackground (?:effect|event|mutation)",
    r"\b(?:expected|predicted|explained) (?:by|from|under) (?:its |their |the )?(?:\w+ ){0,3}"
    r"(?:length|size|chance|background|neutral|mutation (?:rate|load|burden))",
    r"\b(?:neutral|background) model (?:expects|predicts|explains)",
    r"\bwithout (?:\w+ )?selection\b",
    r"\bno (?:evidence|sign|signal|indication)s? (?:of|for) (?:\w+ ){0,2}"
    r"(?:selection|driver|role|involvement|causal|contribution)",
    r"\bnot (?:\w+ )?(?:significantly|recurrently) mutated",
    r"\bnot (?:among|one of|listed among|in the list of) (?:the )?(?:\w+ ){0,4}"
    r"(?:genes?|drivers?)\b",
    r"\bnot (?:a |an |considered |classed as |regarded as )*(?:\w+ )?(?:drivers?|cancer genes?)\b",
    r"\bwithout (?:any )?functional (?:support|evidence|consequence|effect|impact)",
    r"\bno (?:measurable |detectable |functional |significant )*(?:effect|role|influence|impact)s? "
    r"(?:on|in|of) (?:\w+ ){0,3}(?:growth|proliferation|transformation|tumou?r formation"
    r"|tumou?rigen\w+|survival of cells|invasion|viability)",
    r"\b(?:did|does|do) not (?:\w+ )?(?:affect|alter|change|influence|transform|promote|alter)"
    r" (?:\w+ ){0,3}(?:growth|proliferation|transformation|tumou?r formation|tumou?rigen\w+"
    r"|invasion|viability|cells)",
    r"\b(?:is|are|was|were) dispensable",
    r"\bagainst which an? [\w-]+ call\b.*\bfails?\b",
    r"\bno role\b",
)

# A question answered with no, or an effect that is absent.
NULL = _any(
    r"\bno (?:\w+ ){0,2}(?:association|link|effect|difference|correlation|relation|relationship"
    r"|evidence|impact|influence|benefit|value|role|clinical activity)s?\b",
    r"\bno (?:more|less|better|worse|longer|shorter)\b[^.;]{0,20}\bthan\b",
    r"\b(?:changed|affected|altered|influenced|predicted) neither\b",
    r"\b(?:is|are|was|were|be|has|have) not (?:\w+ )?(?:associated|linked|related|correlated"
    r"|different|more|less|enriched|independent|prognostic|significant|confined|predictive"
    r"|a\b|an\b)",
    r"\b(?:did|does|do) not (?:\w+ ){0,2}(?:differ|correlate|change|affect|mark|predict|influence"
    r"|associate|give|cause|form|confer|sensiti[sz]e|prove|show|shorten|improve|worsen)",
    r"(?<!who )\b(?:did|does|do) not(?=[.;])",
    r"\bwithout (?:any |significant |a )?(?:link|association|overall|significant|prognostic"
    r"|effect)",
    r"\blost significance\b",
    r"\bnon-significant",
    r"\bnot significant",
    r"\bdisappear",
    r"\bnot seen\b",
    r"\bnot related\b",
)

# A treatment works in tumours of one genotype and not in the others: a finding, no null result.
SPLIT_BENEFIT = _any(
    r"\bin wild[- ]type\b(?:[^.;]|\.\d){0,60}\bbut not in\b",
    r"\bwild[- ]type\b[^.;]{0,40}\bhad no (?:significant )?(?:benefit|gain|response)\b",
    r"\bno (?:significant )?(?:difference|benefit|gain)\b[^.;]{0,20}\bin \S+ mutation-negative\b",
    r"\bno benefit from\b[^.;]{0,60}\binteraction\b[^.;]{0,40}\bsignificant\b",
)

# The finding is conditional, disputed or weakened.
MIXED = _any(
    r"\b(?:role|effect|value|impact|outcomes?|prognosis|benefit|weight|meaning|significance"
    r"|relevance)s?\b(?:(?! and )[^.;]){0,60}\b(?:depend|differ|var(?:y|ies)|modified|conditional)",
    r"\bdepended on (?:age|the relative|receptor|treatment|subtype|stage)",
    r"\bconditions the\b",
    r"\bnot (?:all|always|every|equal)\b",
    r"\bheterogen(?:e)?ous\b",
    r"\bdisputed\b|\bconflict(?:s|ing)?\b|\bcontradict|\bcontrovers|\binconsisten|\bunclear\b",
    r"\bnot fully reproducible",
    r"\balone (?:is|was|does|did) not\b",
    r"\bnot sufficient\b|\bby (?:itself|themselves)\b",
    r"\bhard to separate|\bruns? against\b|\bcannot be\b|\bmust not be\b",
    r"\bcaution\b|\bshould not be\b|\bnot be taken\b",
    r"\blimited (?:activity|effect|value)\b",
    r"\bnevertheless\b|\bless (?:common|frequent)ly?\b|\bweak(?:er)?\b",
    r"\bnot mechanistic\b|\bnot corrected for\b|\bstand for mutation(?:al)? burden",
    r"\brather than (?:a|an|on|purely|obligatory)\b",
    r"\balternative (?:genetic )?routes?\b",
    r"\bnot (?:the|a useful)\b|\bprotective\b|\bunderrepresented\b|\bonly (?:when|if)\b",
)

EFFECT_VERB = _any(
    r"\btransform(?:s|ed|ing|ation)?\b",
    r"\b(?:hyper-?|co-?)?activat(?:es?|ion of)\b|\bby activating\b",
    r"\b(?:is|are|was|were|becomes?|aberrantly) activated",
    r"\bconstitutive(?:ly)?\b",
    r"\bdriv(?:es?|en|ing)\b|\bdrove\b",
    r"\b(?:promot|induc|accelerat|enhanc|mediat|stimulat)(?:es?|ed|ing)\b",
    r"\bspeeds? up\b|\bturns? (?:on|off)\b|\bswitch(?:es|ed)? (?:on|off)\b",
    r"\bcaus(?:es?|ed|ing)\b|\bleads? to\b|\bled to\b|\bresult(?:s|ed|ing)? in\b",
    r"\bcontribut(?:es?|ed|ing) to\b",
    r"\bsuppress(?:es|ed|ing)?\b|\bsuppression\b|\brepress(?:es|ed|ing|ion)?\b",
    r"\binhibit(?:s|ed|ing)\b|\bblock(?:s|ed|ing)?\b|\babolish(?:es|ed)?\b|\bimpair(?:s|ed)?\b",
    r"\bdisrupt(?:s|ed|ing)?\b|\bdisturbs?\b|\bweakens?\b|\binterferes?\b",
    r"\b(?:raises?|raised|increas(?:es?|ed|ing)|elevat(?:es?|ed)|rises?|rose)\b",
    r"\b(?:lowers|lowered|reduc(?:es?|ed|ing)|decreas(?:es?|ed|ing)|limits?|loses?)\b",
    r"\blost(?! significance)\b",
    r"\b(?:up|down)-?regulat(?:es?|ed|ing|ion)\b",
    r"\bstabili[sz](?:es?|ed|ing|ation)\b|\bdegrad(?:es?|ed|ing|ation)\b",
    r"\brestor(?:es?|ed|ing)\b|\bbypass(?:es|ed)?\b|\bremoves?\b",
    r"\b(?:needed|required|necessary|essential|indispensable) (?:for|to)\b",
    r"\bdepend(?:s|ed|ent|ence|ency)? (?:\w+ )?on\b|\baddict",
    r"\bdominant[- ]negative|\bas (?:a )?(?:gain|loss)[- ]of[- ]function",
    r"\breshapes?\b|\balters?\b|\brewires?\b|\bmodif(?:y|ies)\b|\bfails? to\b",
    r"\bmaintain(?:s|ed|ing)?\b|\bkeeps?\b|\ballows?\b|\bconfer(?:s|red|ring)?\b",
    r"\bbinds?\b|\binteracts?\b|\btargets?\b|\bregulates?\b|\bsecretes?\b|\brecogni[sz]e[sd]?\b",
    r"\bstop(?:s|ped)\b|\brevers(?:es|ed)\b|\bgains? (?=self|growth|prolif)",
    r"\b(?:gives?|gave)\b(?! [\w -]+ to (?:\w+ )?patients\b)|\bleaves?\b|\bmakes?\b"
    r"|\bcooperat(?:es?|ed|ion)\b",
)

ONCOGENIC = _any(
    r"\boncogenic\b|\btumou?rigenic\b|\bleuka?emogenic\b|\btumou?r suppress(?:or|ion|ive)",
)

# Recurrence, without a statistical model.
RECURRENCE = _any(
    r"\b(?:mutated|altered|inactivated|silenced|amplified|deleted|truncated) in\b",
    r"\b(?:mutations?|alterations?|changes|amplifications?) (?:in|of) (?:about |over |only )?\d",
    r"\b(?:mutations?|alterations?|changes|deletions?|fusions?)\b[^.;]{0,70}\b(?:found|present"
    r"|detected|identified|common|frequent|occurr|seen|observed|recur)",
    r"\b(?:carr(?:y|ied)|had|harbou?r(?:ed)?)\b[^.;]{0,50}\b(?:mutations?|mutant|hit)",
    r"\brecurr(?:ent|ed|ence)(?:ly)?\b|\bhotspots?\b|\bmost (?:often|frequently|commonly) "
    r"(?:mutated|altered)",
    r"\b(?:frequently|commonly|often) (?:mutated|altered|inactivated)",
    r"\b(?:bi|mono)allelic\b|\bsecond hit\b|\btruncat(?:e|es|ing|ions?)\b",
    r"\bmutated\b[^.;]{0,12}\d|\baltered\b[^.;]{0,12}\d",
    r"\benriched (?:in|among)\b|\bcluster(?:s|ed)? in\b|\b\d+ of (?:the )?\d+\b",
    r"\b(?:mutations?|alterations?|loss) (?:is|are|was|were) (?:\w+ )?"
    r"(?:specific|restricted|confined) to\b",
)

# How strongly a count of altered tumours speaks.
STRONG_COUNT = _any(
    r"\bsignificantly (?:\w+ )?mutated\b|\bmost (?:often|frequently|commonly) (?:mutated|altered)"
    r"|\bhotspots?\b|\btruncal\b|\bfounding\b|\bmutation driver\b"
)

# A count of altered tumours.
FREQUENCY = _any(
    r"\b(?:mutat|alter|inactivat|silenc|amplifi|delet|mutation|change|fusion)\w*\b"
    r"(?:(?!remission|surviv|respon|relaps|risk|benefit)[^.;]){0,40}\b\d[\d.,]*(?:-\d+)?\s?%",
    r"\b\d[\d.,]*\s?%[^.;]{0,60}\b(?:mutat|alter|inactivat|delet|amplif)",
    r"\b(?:mutat|alter|inactivat)\w*\b[^.;]{0,40}\b\d+ of (?:the )?\d+\b",
)

# Selection: a statistical model or a clonal argument.
DRIVER = _any(
    r"\bsignificantly (?:\w+ )?mutated\b|\bsignificant hotspots?\b",
    r"\b(?:mutation |cancer |founding |independent |clear )?drivers?\b(?! gene lists?)",
    r"\bpositive(?:ly)? select(?:ion|ed)|\bselection for\b|\bis selected\b|\bselective advantage",
    r"\bcandidate cancer genes?\b|\bcancer genes\b(?! such as)",
    r"\bfound(?:er|ing) (?:event|lesion|mutation)|\btruncal\b|\bubiquitous\b",
    r"\bmutually exclusive\b|\banti-?correlated\b|\bexclu(?:de|sive)\b|\bnever co-?occurr",
)

PREDICTIVE = _any(
    r"\bpredict(?:s|ed|ive|or|ors|ion)?\b|\brespon(?:se|ses|ders?|d|ded)\b|\bsensitiv(?:e|ity)\b",
    r"\bsensiti[sz]ing\b|\bresistan(?:t|ce)\b|\bbenefit\b|\befficacy\b|\bactivity of\b",
    r"\bprogression-free survival\b|\brelapses?\b|\brelaps(?:ed|ing) on\b|\bremission\b",
    r"\btime to progression\b",
)

TREATMENT = _any(
    r"\b\w+(?:tinib|fenib|lisib|limus|ciclib|parib|rasib|zomib|mab|afil|degib|metinib|menib|ifan|aurin"
    r"|platin|taxel)\b",
    r"\binhibitors?\b|\bchemotherapy\b|\bradiotherapy\b|\btherap(?:y|ies)\b|\btreat(?:ed|ment)\b",
    r"\bdrugs?\b|\bblockade\b|\btransplant|\b5-FU\b|\bfluorouracil\b|\banti-\w+ antibod",
)

PROGNOSTIC = _any(
    r"\bprognos(?:is|tic|es)\b|\bsurvival\b|\bfavou?rable\b|\badverse\b|\bmortality\b|\bdeath\b",
    r"\bpoor(?:er)? outcome|\bworse (?:outcome|survival)|\bindependent (?:\w+ )?factor\b",
    r"\boutcomes?\b|\bclinical behaviou?r",
)

# What a mutation does to a cell: enough for a functional claim together with an effect verb.
PHENOTYPE = _any(
    r"\b(?:proliferat|growth|transform|instability|invasi|metasta|angiogen|apopto|senescen"
    r"|differentiat|self-renewal|quiescence|migration|dissemination|tumou?rs? in|adenoma formation"
    r"|tumou?r (?:initiation|formation|progression|growth|angiogenesis)|clon(?:e|al) expansion"
    r"|cell cycle|factor.independen|stem cell|chemoresistan|micronuclei|immortali"
    r"|(?:advanced|unstable|invasive),? [\w ]{0,20}(?:cancer|disease))",
)

# A disease as the effect of an alteration.
DISEASE_EFFECT = _any(
    r"\b(?:caus|induc|develop|form|giv|gav|get|maintain|initiat|allow|driv|lead)\w*\b[^.;]{0,50}"
    r"\b(?:leuka?emi\w+|(?:adeno)?carcinomas?|tumou?rs|cancers?)\b(?! cells)"
)

MOLECULAR = _any(
    r"\b(?:signall?ing|pathway|expression|transcription|activity|binding|complex|degradation"
    r"|ubiquitin|phosphorylat|reporter|target genes|promoter|repression|transactivation"
    r"|localisation|localization|substrate recognition|chromatin|stable complex|protein"
    r"|transcripts?|active|hydroxylat|degraded)",
)

CELL = _any(
    r"(?<!stem )\bcells?\b(?! carcinoma| lung| cancer| type| division)",
    r"\bcell lines?\b|\blines\b|\bin vitro\b|\btransfect|\bisogenic\b|\breporter\b|\bknock-?in\b",
    r"\bfibroblasts\b|\bcultures?\b|\bstructure\b|\borganoids?\b",
)
ANIMAL = _any(r"\bmice\b|\bmouse\b|\bmurine\b|\bxenografts?\b|\bzebrafish\b|\bin vivo\b|\brats?\b")
PATIENTS = _any(
    r"\bpatients?\b|\bcohorts?\b|\btrial\b|\bcases\b|\bchildren\b|\bspecimens?\b|\bbiops(?:y|ies)\b",
    r"\b(?:exomes?|genomes?|sequencing|panel|survey|analysis|study|series) of\b",
    r"\b\d[\d,]* (?:[\w-]+ ){0,4}(?:cancers|tumou?rs|carcinomas|adenocarcinomas|leuka?emias|AML)",
    r"\bsurvival\b|\brespond",
)
TUMOURS = _any(r"\btumou?rs\b|\bcancers\b|\b(?:adeno)?carcinomas\b|\bleuka?emias\b")
COMPUTATIONAL = _any(
    r"\bdN/dS\b|\bin silico\b|\bcomputational\b|\bcompendium\b|\bdriver[- ]detection\b|\bMutSig",
    r"\bbackground models?\b|\bneutral model\b|\bmutation rate\b|\bpredict how\b",
    r"\bcan be predicted",
    r"\bmethods over\b|\bbioinformatic",
)
REVIEW = re.compile(
    r"^(?:Review|This review|Hypothesis paper|In this review|Commentary)\b"
    r"|\b(?:is|are) reviewed\b|\bas reviewed here\b|\b(?:is|are) proposed to\b"
)
EXPRESSION_ONLY = _any(
    r"\bexpression\b|\bmRNA\b|\bprotein levels?\b|\bimmunohistochem|\bstaining\b"
)

LOSS = _any(
    r"\bloss(?:es)?\b(?! of (?:response|significance))|\blost\b|\binactivat|\btruncat|\bframeshift",
    r"\bnonsense\b|\bdeficien|\bnull\b|-/-|\bknock-?out",
    r"(?<!exon \d )(?<!exon \d\d )(?<!in-frame )(?<!-terminal )"
    r"\bdele(?:tion|ted|tions)\b(?! of exon)",
    r"\bhaploinsufficien|\bbiallelic\b|\bsilenc|\bloss[- ]of[- ]function|-negative\b",
    r"\babsen(?:t|ce)",
    r"\b(?:wild-type \w+|it|putting \w+ back) (?:restores|represses|suppresses|removes)",
    r"\btumou?r suppress(?:or|ion)\b|\bsplice\b|\blacking\b|\blacks?\b",
)
GAIN = _any(
    r"\bactivating\b|\bactivated\b(?! (?:by|through))|\bgain[- ]of[- ]function|\bgains?\b",
    r"\bamplif|\boverexpress|\boncogen(?:e|ic)\b|\bconstitutive(?:ly)? (?:active|activ)",
    r"\bITD\b|\binternal tandem|\bin-frame\b|\bfusion\b|\baddict|\bhyperactiv",
    r"\bsensitising\b|\bsensitizing\b|\bsensitiv(?:e|ity) to [\w-]+(?:ib|mab)\b",
    r"\btransform(?:s|ed|ing)\b|\braised? (?:\w+ ){0,2}(?:kinase|signall?ing)",
    r"\bcontinu\w+ (?:to depend|dependence) on\b|\bdepend\w* (?:\w+ )?on \w+ signall?ing",
)

# A mutant that cells need, or that gains a function: gain, whatever else the text calls lost.
NEEDED_MUTANT = _any(
    r"\bmutant \S+ (?:is|was|are) (?:\w+ )?(?:needed|required)\b",
    r"\bcytoplasmic \S+ is needed\b",
    r"\bgain of function\b",
    r"\bactivated \S+ (?:\(\S+\) )?allele\b",
)

ALTERATIONS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "mutation",
        _any(
            r"\bmutat|\bmutants?\b|\btruncat|\bframeshift|\bmissense|\bnonsense|\bITD\b|\bhotspot"
            r"|\bvariants?\b|\b[A-Z]\d{1,4}[A-Z]\b|\bexon \d+ deletion"
        ),
    ),
    ("fusion", _any(r"\bfusions?\b|\brearrange|\btranslocat")),
    ("methylation", _any(r"\b(?:hyper)?methylat|\bepigenetic(?:ally)? silenc")),
    (
        "copy number",
        _any(r"\bamplif|\bcopy[- ]number|\bcopy gain|\bheterozygosity|\bhomozygous del"),
    ),
    ("mutation", _any(r"\bloss\b|\blost\b|\binactivat|\bdelet|\bknock|\bdisrupt|\bnull\b|-/-")),
    ("expression", _any(r"\bexpress|\bmRNA\b|\btranscript")),
)

SPECULATION = _any(
    r"\bproposed?\b|\bhypothe(?:sis|ses|size)|\bmay\b|\bmight\b|\bpossibl[ey]\b|\bcould\b",
    r"\bseems? to\b|\bsuggest",
)
