"""Words that decide whether a bullet starts with a verb (base forms)."""

import re


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


MODALS = words("can cannot may might must could should will would is has does")

# Parts that may stand before a hyphenated verb: Co-activates, Auto-phosphorylates.
PREFIXES = words(
    """
    auto bi co counter cross de di dis down dys fine hetero homo hyper hypo inter mis mono multi
    non oligo out over poly post pre re self trans un under up
    """
)

VERBS = words(
    """
    abate abide abolish abound absorb abstract accede accept account acetylate achieve acquire act
    acylate adapt add adhere adjust adopt affect affix afford age aid aim alert align alkylate
    allot allow alter alternate amplify anchor anneal answer antagonise appear append apply
    approach approve arise arm arrange arrest arrive ascend ask assemble assess assign assist
    assume assure attach attain attend attest attract attune augment avert avoid balance bar base
    bear beat become befit begin behave belie belong bend benefit betray bias bifurcate bind block
    blunt bolster boost border brake branch breach break breed bridge bring bud buffer build bulge
    bundle burst bury bypass call cancel cap capture carry catalogue catch cater cause cease chain
    challenge change channel chaperone charge chart chase check chelate choose circle circumvent
    cite claim clamp clasp cleanse clear cleave climb cling clip clog close clot clothe cluster
    coalesce coat code coexist cohere coil coincide collapse collect collide combine commence
    commit compact compete complement complex comply compound compress comprise conceal condense
    condition conduct confer confine conform confront conjoin connect conquer conserve consist
    conspire constitute constrain constrict construct consult consume contact contain contend
    contest continue contract contrast contribute control convene converge convert convey cooperate
    cope correct corrupt count counter counteract couple cover crack craft creep cross crosslink
    crosstalk crumple curb curl curtail curve cushion cut cycle dam dampen decode decrease deepen
    defend defer define deflect deform degrade delay delete delimit deliver demand demethylate
    denote depart depend deplete deploy deposit depress deprive derail derive descend describe
    desorb destroy detach detect determine detoxify devote dictate differ diffract diffuse digest
    dilate dilute dimerise diminish dip direct disappear disassemble discard discern discharge
    discourage disengage disentangle disfavor disfavour dislodge dismantle dispatch dispel dispense
    disperse displace display dispose disprove disrupt dissect dissociate dissolve distinguish
    distribute disturb diverge divert divide dock donate dope double drag drain draw drift drive
    drop dwell dwindle ease echo edit egress eject elicit elude elute emanate embed emerge emit
    employ empower empty enable encase encircle enclose encode encounter encourage end endanger
    endocytose endow endure enfold enforce engage engender engulf enhance enlarge enrich ensure
    entail entangle enter entrain envelop equal equip erase erode escape escort establish evade
    evict evoke evolve exceed exchange excise excite exclude execute exempt exert exhaust exhibit
    exist exit expand expedite expel experience explain exploit explore export expose express
    extend extinguish extract extrude face facilitate fade fail fall falter fasten favor favour
    feature feed fend ferment ferry fight fill filter find finish fire fit fix flag flank flare
    flatten flip float flood flow fluctuate foil fold follow force forge form forward foster frame
    free freeze frustrate fuel fulfil fulfill function furnish fuse gain gate gather gauge give
    glue glycosylate go govern grab grant grasp graze grip grow guard guide halt harbor harbour
    harden harm harness hasten hatch head heal heat heighten help hide hijack hinder hinge hit hold
    hook host house hunt hurt hydrolyse imbue impact impair impart impede impel impinge implement
    import impose improve include increase induce infer infiltrate influence inform ingest inhabit
    inherit inhibit initiate inject injure innervate insert inspect instil instruct interact
    intercept interconnect interfere interlock internalise interpret interrupt intersect intertwine
    intervene invade invert invoke involve jam join jump justify keep kill know label lack land
    lapse last launch lay lead leak lean leap learn leave lend lengthen lessen let license lie lift
    limit line link list litter live load localise locate lock look loop loosen lose lower lure
    magnify maintain make manage manipulate map mark mask match mature mean measure mediate meet
    melt merge metabolise migrate mimic minimise mirror misfold mislead mitigate mix modify
    modulate monitor mould mount move mutate name narrow need negate neighbour nick nourish
    nucleate nudge nullify nurture obey obscure observe obstruct obtain occupy occur offload offset
    ooze open oppose opt order orient oscillate outcompete outlast outnumber outweigh overcome
    overlap overlay override overrun oversee owe pace pack package pad pair palmitoylate parallel
    participate partition partner pass patrol pattern pause pave peak peel penetrate perceive
    perform permeate permit persist perturb phagocytose phosphorylate pick pierce pin pinch pivot
    place plan play plug plunge point poise poison polarise police pool pose posit position possess
    postpone potentiate pour power precede preclude predict predispose prefer prepare present
    preserve press presume prevail prevent prick prime print probe proceed process produce program
    prolong promote prompt proofread propel protect provide prune pull pulse pump puncture purge
    pursue push quell quench quicken quit raise ramp range ratchet reabsorb reach react read
    realign reassemble rebind rebuild recapture recede receive reclaim recognise recombine
    reconnect recover recruit rectify recur recycle redirect reduce reenter refer refill refine
    reflect refold regain reinforce rejoin relate relax relay release relieve relocate rely remain
    remind remodel remove render renew reopen reorient repair repeat repel replace replenish report
    reposition represent repress require rescue reseal resect resemble reserve reset reshape
    reshuffle reside resist resolve respire respond rest restore restrain restrict result resume
    retain retard retract retrieve retrofit return reuse reveal reverse revert revive rewire rid
    ride rip ripen rise roll root rotate route ruffle rule run safeguard salvage scaffold scale
    scan scatter scavenge score scramble sculpt seal search secrete secure seed seek seize select
    send sense separate sequester serve set sever shake shape share sharpen shear shed shelter
    shield shift shoot shorten show shred shrink shunt shut shuttle sidestep sieve sift signal
    silence sink siphon sit skew skip slice slide slip slow smooth snap snatch soften solve sort
    sound span spare spark spawn speak specify speed spend spin spiral splice split sponge spread
    spring sprout squeeze stack stain stall stand start starve stay steal steer stem step stick
    stiffen stir stop store stow straddle strain strand strengthen stretch strike strip strive
    structure subdivide subdue submit subvert succeed succumb suck suffer suffice suggest suit sum
    summon sumoylate supersede supervise supplant supplement supply support suppress surpass
    surround surveil survey survive suspend sustain swap swell swing switch tackle tag tailor take
    tan tap target taste tear tell tempt tend terminate tether thicken thin think thread thrive
    throttle throw thwart tie tighten tilt tip titrate toggle tolerate top total touch tow track
    traffic trail train transact transcend transcribe transduce transfer transform transit transmit
    transport transpose trap traverse treat tremble trigger trim triple trust tubulate tuck tug
    tumble tune tunnel turn twist typify ubiquitylate unbind uncage uncap uncoil uncouple uncover
    undergo underlie underpin underscore understand undo undock unfasten unfold unify unite unleash
    unload unlock unmask unpack unravel unseal unwind unwrap update uphold upset use usher utilise
    vacate vanish vary verge vibrate view violate visit wait wake wander wane want ward warn warp
    waste watch weaken wean wear weave wedge weigh weld widen wind wipe wire withdraw withhold
    withstand wobble work worsen wrap write yield zip
    """
)

# Nouns whose plural looks like a verb with a verb's suffix.
NOUNS = words(
    """
    acetate adenylate arachidonate ascorbate aspartate benzoate bicarbonate butyrate candidate
    carbamate carbohydrate carbonate certificate cholate chordate chromate citrate climate
    cytidylate diphosphate enterprise estimate exercise expertise filtrate folate fumarate
    gluconate glucuronate glutamate guanylate hyaluronate intermediate invertebrate isolate lactate
    linoleate lysate malate mandate methacrylate monophosphate myristate neonate nitrate noise
    oleate opiate oxalate palmitate phosphate plate precipitate premise primate prise prize
    pyruvate rate retinoate silicate size state stearate substrate succinate sulfate sulphate
    surrogate tartrate template thymidylate triphosphate urate uridylate vertebrate
    """
)

# Verbs whose -s form is as well the plural of a noun that may begin a bullet: Signals, Contacts.
ALSO_NOUNS = words(
    """
    age aggregate aim anchor appeal arm arrest associate attack attempt back bar base bend benefit
    block boost border brake branch breach break bridge bud buffer bulge bundle burst call cap
    capture chain challenge change channel chaperone charge chart check circle claim clamp close
    clot cluster coat code coil collapse complement complex compound condition conduct conjugate
    contact contract contrast control correlate count couple cover crack cross curve cut cycle
    damage decay decrease delay delegate demand design detour display dock dope double drain drift
    drop duplicate echo end escape exchange exit experience export extract face fall feature fight
    fill filter fire fit flag flip flood flow fold force form frame fuel function gain gate gauge
    grant guard guide halt harm head heat hinge hit hook host hunt impact import increase influence
    jump kink land lapse leak leap lift limit link list lock look loop map mark mean measure melt
    mix mould mount name neighbour nick nudge offset order pace pack pad pair parallel partner pass
    pattern pause peak peel pick pinch pivot place plan plug point poison police pool position
    power prime print probe process program pull pulse pump puncture purge push quench ramp range
    release repair repeat report rescue reserve rest result return reuse ride rip rise roll root
    rule scaffold scale scan score seal search sense set shake shape shed shelter shield shift show
    shunt signal silence slice slide slip sort sound span spin spiral split sponge spread spring
    sprout stack stain stall stand start stay steal stem step stick stop store strain strand
    stretch strike strip structure suit supplement supply support survey swing switch tag tailor
    tap target taste tear tether thread throw tie tip toggle top total touch tow track traffic
    trail train transfer transit transport trap treat trigger trim trust tune tunnel turn turnover
    twist update upset use view violate visit wait wake want waste watch wear wedge wind wire work
    wrap yield zip
    """
)

# Base forms that are adjectives or adverbs as well: no sign of a finite verb (innate immunity).
ALSO_ADJECTIVES = words(
    """
    accurate adequate alternate appropriate clear close complete concise coordinate correct delicate
    direct double dry elaborate empty free immediate innate intimate intricate level like likewise
    live loose lower mature mean moderate narrow open otherwise own perfect precise present private
    proximate separate slow smooth still subject thin tight triple ultimate warm
    """
)

# Endings of plural nouns of this field: Kinases, Receptors, Proteins, Mutations, Chromosomes.
NOUN_ENDING = re.compile(
    r"(?:ases|ins|ors|ions|ides|omes|ogs|ogues|oids|isms|ists|cells|enes|cytes|sites|mains|ants|ties"
    r"|ances|ices|ologs|amers|imers|mers|thelia|tides|ments|nesses|xes|bodies|tors|ands|ines|genes"
    r"|species|series|exons|introns|levels|amounts|mice)$"
)

# A word on -s before an article, unless its ending belongs to other words (this, thus, across).
LOOKS_LIKE_A_VERB = re.compile(
    r"^(?!(?:as|its|his|besides|towards|afterwards|always|perhaps|whereas|nevertheless|whose)$)"
    r"\w{2,}[^sui]s$"
)
