"""English words that tell whether a question leans on an earlier one."""

from typing import Final

# Words that carry no subject.
_FUNCTION = """
a about actually after against all also although always am among an and another any
are aren around as at be because been before being between both but by can can't
could currently d did didn do does doesn doing don done down during each else even
ever every exactly for from generally get gets had has have having he her here hers
him his how i if in into is isn it it's its just let let's like ll m many may me
might mine more most much must my never no nor normally not now of off often on one
ones only onto or other others our out over own per please re really s same shall
she should since so some still such t than that the their theirs them then there
these they this those though through to today too typically under until up us
usually ve versus very via vs was wasn we were weren what what's when where which
while who whom whose why will with within without would yes you your yours
"""
FUNCTION: Final = frozenset(_FUNCTION.split())

# Verbs and adjectives that fit any subject.
_GENERAL = """
able affect affected affects again ago allow allows anyone anything applied apply
available avoid away back bad based became become began begin begun best better big
bigger biggest born build built buy calculate calculated call called came cause
caused causes change changed changes cheap cheaper cheapest choose chosen clean
cleaned come comes common compare compared compares compete consider contain
contains cook cooked cover covered create created curable cure cured current
dangerous describe design designed develop developed die died differ different
differs difficult discover discovered drink early easy eat eats effective end
ended especially established ethical everything exist exists expensive explain fail
failed famous far fast faster fastest feel felt find first fix fixed flies fly form
formed found founded free further get getting give go goes good great grow grows
happen happened happening happens hard harmful healthy hear heard held help helps
high higher highest hold holds illegal impact impacted important improve improved
include includes increase increased influence install installed interesting invent
invented involve involves join joined keep key kill kills kind kinds know known
large larger largest last late later latest lead learn leave left legal likely list
live lived lives located long long-term longer longest look looks lose low lower
lowest made main mainly major make makes making mean means meant measure measured
mostly move moved name named naturally necessary need needs new newer newest next
nice occur offer offers old older oldest open originally owned particularly pay
people person pick play popular possible prevent prevented prevents provide provides
publish published ran real receive received recent recommend reduce reduced relate
related release released remove removed replace replaced require requires run runs
safe safer say second secure see sell short short-term shorter show side
significance significant similar since slow slower small smaller smallest sold solve
solved somebody someone something soon spread start started stop store stored strong
stuff succeed suggest support supported sure take takes tall taller tallest tell
term thing things think third took treat treatable treated true use used uses using
visit visited want way ways weak well went win won work worked working works worse
worst worth write written wrote young younger youngest
"""
GENERAL: Final = frozenset(_GENERAL.split())

# Nouns that need another noun: the symptoms (of what?).
_RELATIONAL = """
achievement achievements address advantage advantages advice age alternative
alternatives amount appearance application applications area argument arguments
author award awards background beginning benefit benefits capital career cast
categories category cause causes ceo challenge challenges character characteristic
characteristics characters childhood children climate color colors colour competitor
competitors component components conclusion cons consequence consequences
contribution contributions controversy cost costs creator criticism criticisms
culture cure cures currency customers date death definition depth detail details
diagnosis diet difference differences director disadvantage disadvantages distance
downside downsides drawback drawbacks duration economy education effect effects
element elements ending enemies evidence example examples exception exceptions fact
facts family feature features fee fees finding findings founder founders function
functions government growth habitat headquarters height history husband impact
impacts implication implications importance information ingredient ingredients
invention inventor issue issues kind kinds language languages law laws layer layers
leader leaders length level levels life life-span lifespan lifetime limitation
limitations location meaning member members method methods model models name names
net nickname option options origin origins outcome outcomes overview owner parents
part parts phase phases plot population predator predators president prevalence
prevention price prices principle principles problem problems procedure process
profit profits prognosis properties property pros purpose rate reason reasons recipe
relation relationship religion requirement requirements restriction restrictions
result results revenue review reviews risk risks role roles rule rules salary sequel
shape side-effects sign significance signs similarities similarity size solution
solutions source sources speed spouse stage stages step steps structure summary
survival symptom symptoms technique techniques temperature term terms theme themes
theories theory time tip tips treatment treatments type types upside usage use users
uses variant variants variety version versions weight width wife word work works
worth
"""
RELATIONAL: Final = frozenset(_RELATIONAL.split())

# Kinds of things: “the city” is one that was named before.
_KINDS = """
actor actress album animal app area artist band battle book breed building car city
club company condition country device disease dish disorder drink drug event
experiment festival film firm food game group illness island language man medicine
mountain movie museum novel organisation organization painter person place plan
plant product program project religion river school series show singer software song
species state study team town treaty university village war website woman writer
"""
KINDS: Final = frozenset(_KINDS.split())

# Adjectives that choose among the parts of a subject: the main layers.
_CHOOSING = """
basic best biggest common current different early essential famous first important
key largest last latest main major modern newest next oldest other popular possible
potential powerful primary similar typical usual various worst youngest
"""
CHOOSING: Final = frozenset(_CHOOSING.split())

# Things of which there is one: “the universe” needs no subject.
_UNIQUE = """
bible earth economy equator future government internet market moon news past pope
present sky sun universe weather web world
"""
UNIQUE: Final = frozenset(_UNIQUE.split())

# Words for a time.
_TIMES = """
afternoon autumn century day days decade evening fall moment month months morning
night season spring summer time week weekend weeks winter year years
"""
TIMES: Final = frozenset(_TIMES.split())

# Adjectives behind an “it” that means nothing: is it safe to eat raw eggs?
_EXPLETIVE = """
bad best better cheaper common dangerous difficult easy fine good hard healthy
illegal important impossible legal necessary normal ok okay possible right rude safe
true useful useless wise worth wrong
"""
EXPLETIVE: Final = frozenset(_EXPLETIVE.split())

# The same of the weather and of the time: is it raining?
_WEATHER = """
cold dark hot like rain raining snow snowing sunny time warm windy
"""
WEATHER: Final = frozenset(_WEATHER.split())

# Small classes of grammar.
_THINGS = "it its they them their theirs"
THINGS: Final = frozenset(_THINGS.split())
_PEOPLE = "he him his she her hers"
PEOPLE: Final = frozenset(_PEOPLE.split())
_OWNING = "its their theirs his her hers"
OWNING: Final = frozenset(_OWNING.split())
_POINTING = "this that these those"
POINTING: Final = frozenset(_POINTING.split())
_BE = "is are was were be been being"
BE: Final = frozenset(_BE.split())
_AUXILIARY = "do does did can could will would shall should may might must has have had"
AUXILIARY: Final = frozenset(_AUXILIARY.split())
_JOINING = "and or but if when because so while although"
JOINING: Final = frozenset(_JOINING.split())
_ASKING = "what which who whom whose when where why how tell describe explain list"
ASKING: Final = frozenset(_ASKING.split())
_PREPOSITIONS = (
    "in on at for from with by to during before after since between under over"
)
PREPOSITIONS: Final = frozenset(_PREPOSITIONS.split())
_PLACES = "in at on from near around"
PLACES: Final = frozenset(_PLACES.split())
_SPEAKERS = "i we you your my our me us"
SPEAKERS: Final = frozenset(_SPEAKERS.split())
_COMPARING = "compare compares compared differ differs"
COMPARING: Final = frozenset(_COMPARING.split())
_PAIRING = "between difference differences similarities versus vs related compare or"
PAIRING: Final = frozenset(_PAIRING.split())
_SORTS = "type types kind kinds form forms part parts"
SORTS: Final = frozenset(_SORTS.split())
