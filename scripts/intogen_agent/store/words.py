"""Words that are also gene names, and words that mean no cancer in particular."""

# Symbols and aliases of HGNC that are ordinary English words. As an approved symbol such a name
# counts only in capitals (KIT); as an alias it never counts (AGO for FBXW7).
_ENGLISH = """
ace act aga age ago aid aim air alas all and ape aph apex arc are arm art as ask at bad bag
bank bar base bat beam bet bid big bit black blame block boc bone bow bright brain box camp can
cap car card care case cash cast cat cell chat check child chip chop cis clamp clan clap
class clock co cog coil coin cope core cost crest crow cue cut damage dash dawn dead deal delta
der desert dice disc do doc dock dream drip drop dry duel ear east eat echo edge eel elk end
era eta eve fact face fade fan far fast fat fate fed feed fem fight file fin fish fist
fit flame flap flash flip flow foe for fox frame free fringe frost fur fuse gab gain gap gas
gate gem get giant glass glue go golf good grail grasp grid grip guard half hand handle has hat
he head heat hedgehog help her hero hide high hinge hip his hit hole hook hop horn host hot how
hub hug hunk ice if in ink inn iron is it jade jag join jumpy kill killer king kiss kit
lace lag lake lamp lance large last late lead leap leg lens let light lily limb lime line link
lip live lock long loop lost lot low lung lynx mad mage magic man map marble march mare mark
mars mask mass mast mate max may me mega melt men mess met mica mice mid might mild milk mill
min mind mine mini mink mint mist mix moat mob mode moon mop more most mouse much mum muscle
mute name nap near neat neck need nemo nest net neural new nick night nine no nod node none
norm nose not notch note novel now nude null oak oasis odd off on once one or orange orb out
over pacer pad page pair pal palm pan panic par parent park part pass past pat path
paw peak pear pen pending pep per perk pet pick pie pig pile pin pink pip pit plan plug polo
pool pop post pot prime prune puma pump punt pure rab rad rage rain ram ramp ran rap rare rat
raw ray reck red reel reg reined rel relax remind ren rent rep rest ret rich rig ring rip rise
road rob rock rod roll root rose round ruby run sac sad safe sage sand sap saps scar sea seal
see self sell send sense set seven sex shank shape sharp she shed ship shock shop short shot
show sigma sign silver sink sip sit six size ski skin sky slam slap sled sleep slick slim
sling slip slit slow slug smart smile smooth snail snake snap snip so sol son sonic sort sos
sox space span spark spike spin spot spring spy squid stamp star start stat step stick sting
stop strap strip sub sum sun sure swap sweet swim switch tab tag tail tan tank tap
tar target task tau tea team ten test text the thing thy tide tie tiger time tin tip tissue to
toll tom ton tone top torso tough toy trace track trail tram trap tree trim trio trip true try
tub tube tug tuna twin twist two type unite up us van vet via vice vim wage war warp was wave
way we wee weak west who wide wild wing wip wish wizard wolf wrap yes yet you zap zen zero zinc
zip zone
"""
ENGLISH = frozenset(_ENGLISH.split())

# Abbreviations that abstracts use for something else far more often than for a gene: diseases,
# methods, statistics, families of genes. They never count in a text; a record names them itself.
_ABBREVIATIONS = """
aa aacr ad ads ai aml apa aps ars asco bcc bmi bp ca cc cca cd cdna cgh chip ci cll cml cms cns
copd cp cr cs csc csd ct ctc ctl dc dcis dfs dlbcl dna ecm ed efs em emt eo er erk fda ffpe fish
gbm gc gcs gi gist gpi gwas hcc hl hla hnscc hpv hr hsc icc ida ids ihc impact ips jak kd kda kg ki
km ko lps luad lusc mab mapk mb mds mg mi mm mmr mpn mri mrna ms msi mss nct net nets ngs nk nmr nos
nsclc or os pah pap pc pca pcr pd pfs pi pi3 pk pr psa ptc qc qol raf ras rcc rct rn rna ros rr rt
sc scc sclc sd se sem shrna si sirna snp snv stk tcga tf tg th til tki tme tmb tnbc tnm tp
tpm tsc uk us usa utr wes wgs who wt
"""
ABBREVIATIONS = frozenset(_ABBREVIATIONS.split())

# Words of a disease name that do not narrow it; plurals and spellings are unified before.
_GENERAL = """
a all and any cancer cancerous carcinogenesis disease general human in malignant metastatic
neoplasia neoplastic of oncogenesis oncology or pan pancancer patient primary
solid the transformation tumorigenesis type types various
"""
GENERAL = frozenset(_GENERAL.split())
# The words of GENERAL that say "cancer" by themselves.
CANCER_WORDS = frozenset(
    (
        "cancer",
        "carcinogenesis",
        "malignant",
        "neoplasia",
        "neoplastic",
        "oncogenesis",
        "oncology",
        "pancancer",
        "tumorigenesis",
    )
)
