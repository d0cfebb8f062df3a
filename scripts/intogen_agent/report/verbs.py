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
    abolish accept account act adapt add adhere adjust affect aid aim alkylate allow alter
    amplify anchor anneal antagonise appear apply arrest assemble assist attach attract augment
    avoid balance bear become begin behave belong bend bias bind block boost break bridge bring
    buffer build bundle bypass cap capture carry catch cause chaperone check clamp clear cleave
    close cluster coat collapse combine commit compact compete complement complex comprise
    condense conduct confer connect consist constitute constrain constrict consume contact
    contain contract contribute control converge convert convey cooperate cope correct counter
    counteract couple cover cross curb cut cycle dampen decode decrease defend define deform
    deliver demethylate depend deploy deposit deprive derive describe destroy detach detect
    determine diffuse digest dimerise diminish direct disassemble dislodge disperse display
    dispose dissociate dissolve distinguish distribute disturb diverge divide dock double drain
    draw drive dwell ease edit eject elicit embed emerge employ enable encircle enclose encode
    encounter endocytose endow enforce engage engulf enhance enlarge enrich ensure enter equip
    erase establish evade evict evoke exchange excite exclude execute exert exhaust exhibit
    exist exit expand expel export expose express extend extract extrude facilitate favor favour
    feed ferment fill filter fire fit flank flip fold follow form foster fuel function fuse gate
    gather give go govern grip grow guard guide halt harbor harbour harness hasten heighten help
    hinder hold host impact impair impede implement import impose include increase induce
    influence inhibit initiate insert instruct interact intercept interconnect interfere
    internalise invade invert involve join keep kill label lack launch lay lead leave lend
    lengthen lessen let license lie lift limit line link load localise lock loop loosen lower
    maintain make manage mark match meet migrate mimic mirror modify monitor mount move mutate
    narrow need nick nucleate obtain occupy occur offset open oppose orient outcompete overcome
    overlap override pack package pair participate partition partner pass pattern pause perceive
    perform permit perturb phagocytose phosphorylate pin place play plug point polarise position
    possess potentiate predispose prefer prepare present preserve press prevent prime process
    produce program prolong promote proofread propel protect provide prune pull pump push quench
    raise reach react read reassemble rebuild receive recognise recruit recycle reduce refine
    reflect refold reinforce relax relay release relieve rely remain remodel remove render
    reorient repair replace replenish report represent repress require rescue resect resemble
    reset reshape reside resist resolve respire respond rest restore restrain restrict result
    retain retard retrieve return reveal reverse rewire rise rotate route run safeguard salvage
    scaffold scan scavenge scramble sculpt seal secrete secure seed select send sense separate
    sequester serve set sever shape share sharpen shed shield shift shorten show shunt shut
    shuttle signal silence sit skew slide slow smooth soften sort span spare spark specify speed
    splice split sponge spread stack stall start steer stick stiffen stop store straddle
    strengthen stretch strip sumoylate supply support suppress surround surveil survey sustain
    swap switch tag tailor take target tend terminate tether thicken thread tie tighten tilt
    titrate toggle touch track traffic transcribe transduce transfer transform transmit
    transport trap traverse trigger trim tubulate tune turn twist ubiquitylate uncap uncoil
    uncouple undergo underlie underpin undo unfold unite unload unlock unwind uphold use utilise
    vary weaken widen wire withdraw withhold withstand work wrap write yield zip
    """
)

# Nouns whose plural looks like a verb with a verb's suffix.
NOUNS = words(
    """
    acetate aspartate bicarbonate butyrate candidate carbohydrate carbonate certificate citrate
    climate diphosphate enterprise estimate exercise fumarate glutamate intermediate invertebrate
    isolate lactate lysate malate mandate methacrylate monophosphate myristate nitrate noise
    palmitate phosphate plate precipitate premise primate prise prize pyruvate rate silicate size
    state substrate succinate sulfate sulphate surrogate template triphosphate vertebrate
    """
)

# A word on -s before an article, unless its ending belongs to other words (this, thus, across).
LOOKS_LIKE_A_VERB = re.compile(
    r"^(?!(?:as|its|his|besides|towards|afterwards|always|perhaps|whereas|nevertheless|whose)$)"
    r"\w{2,}[^sui]s$"
)
