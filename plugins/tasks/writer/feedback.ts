import { isStopWord, stem, tokensOf } from '#text'
import { isWeakWord } from './words.ts'

/** What an operator's words ask of the next draft, as far as an extractive writer can follow them. */
export interface FeedbackRequests {
  /** Terms to say more about. */
  more: ReadonlySet<string>
  /** Terms to say less about. */
  less: ReadonlySet<string>
  /** Factor on the length; 1 when nothing is said about it. */
  length: number
  /** Words asked for by number, within the bounds of a target length; null when none are. */
  words: number | null
  /** Asks for other material than the previous draft's. */
  different: boolean
}

/** Words that change the length, and by how much: within the ±25 % that a length check usually lets pass. */
const lengthRequests: readonly (readonly [RegExp, number])[] = [
  [/\b(too long|shorter|shorten|cut (it )?down|condense|tighten|more concise|concise|briefer|too wordy|trim)\b/i, 0.8],
  [
    /\b(too short|longer|lengthen|more details?|more depth|in depth|deeper|expand|elaborate|extend|too thin|flesh out)\b/i,
    1.2
  ]
]

const askedLength = /\b(\d{3,4})[\s-]*words?\b/i

const unwanted =
  /\b(less|fewer|without|remove|drop|omit|avoid|skip|cut out|leave out|leaves? (?:\w+ )?out|delete|no more|too much|not? (?:mention|about)|don['’]?t|do not|stop|exclude|off[- ]topic|irrelevant)\b/i

const otherwise =
  /\b(differen\w*|rewrite|redo|another|other|fresh|new|repetiti\w*|repeats?|again|same|from scratch|alternative|instead|start over|bad|wrong|poor|boring|weak)\b/i

/** Words an editor uses about any text; they name no subject. */
const editing = new Set(
  `add addition again alternative another angle approach article aspect bad bit boring brief briefer claim claims condense depth doesn don fix isn less leave leaves lengthen liked little long mentioned more other paced redo same scratch short shorten start sure thin tighten trim wordy conclusion content cover covers covering cut delete describe detail
  details different discuss draft drop emphasis emphasise emphasize exclude expand explain extend focus fresh include intro
  introduction irrelevant length longer lot mention new opening paragraph paragraphs part parts piece please poor post readers remove
  repeat repetitive rewrite say says section sections sentence sentences shorter skip something stop stress strong style text
  topic want weak word words write writing wrong example examples focused mostly off instead again leave lead deeper concise
  make makes need needs good better`.split(/\s+/)
)

const subjectsOf = (clause: string): string[] =>
  tokensOf(clause)
    .filter(word => !isStopWord(word) && !isWeakWord(word) && !editing.has(word) && !/^\d+$/.test(word))
    .map(stem)

/** Reads feedback clause by clause: "more on vacuum, without replication" asks for one and against the other. */
export function readFeedback(feedback: string | null): FeedbackRequests {
  const more = new Set<string>()
  const less = new Set<string>()
  const asked = askedLength.exec(feedback ?? '')
  for (const clause of (feedback ?? '')
    .slice(0, 10_000)
    .split(/[.;,!?\n]|\b(?:but|and (?=\w+ (?:less|more))|while)\b/i)) {
    const into = unwanted.test(clause) ? less : more
    for (const subject of subjectsOf(clause)) into.add(subject)
  }
  return {
    more: new Set([...more].filter(subject => !less.has(subject))),
    less,
    length: lengthRequests.find(([pattern]) => pattern.test(feedback ?? ''))?.[1] ?? 1,
    words: asked ? Math.min(5000, Math.max(200, Number(asked[1]))) : null,
    different: otherwise.test(feedback ?? '')
  }
}
