import type { ChatCommand, ChatCommandGroup, ChatRequest, Notice } from './index.ts'

/** A command as a chat received it. */
interface GivenCommand extends Pick<ChatRequest, 'actor' | 'shownHash'> {
  /** Lower case, without its slash. */
  name: string
  /** What follows the name, trimmed. */
  rest: string
}

/** A command that is ready to be carried out. */
export interface PreparedCommand {
  readonly isDecision: boolean
  /** What to type: `/approve_topic <id>`. */
  readonly form: string
  /** @throws AppError whose message is the answer */
  run(): Promise<Notice>
}

/** All registered chat commands, and `/help`. */
export interface ChatCommands {
  add(group: ChatCommandGroup): void
  /** Undefined for a command that does not exist. */
  prepare(given: GivenCommand): PreparedCommand | undefined
}

const maxTextLength = 2000

export function createChatCommands(): ChatCommands {
  const commands = new Map<string, ChatCommand>()
  const helpLines: string[] = []
  return {
    add(group) {
      const names = Object.keys(group.commands)
      const taken = names.find(name => commands.has(name) || isHelp(name))
      const unreadable = names.find(name => !/^[a-z0-9_]{1,32}$/.test(name))
      if (unreadable !== undefined)
        throw new TypeError(`the chat command ${unreadable} is not 1 to 32 lower-case letters, digits and underscores`)
      if (taken !== undefined) throw new TypeError(`the chat command /${taken} is registered twice`)
      for (const [name, command] of Object.entries(group.commands)) commands.set(name, command)
      helpLines.push(helpLine(group))
    },
    prepare(given) {
      if (isHelp(given.name)) return { isDecision: false, form: '/help', run: async () => helpNotice(helpLines) }
      const command = commands.get(given.name)
      if (command === undefined) return undefined
      const form = `/${given.name} ${command.usage}`.trim()
      return { isDecision: command.isDecision, form, run: async () => run(command, given) }
    }
  }
}

const isHelp = (name: string): boolean => name === 'help' || name === 'start'

function run(command: ChatCommand, { name, rest, actor, shownHash }: GivenCommand): Promise<Notice> | Notice {
  const required = /^(?:<\S+>\s*)*/.exec(command.usage)?.[0].trim().split(/\s+/).filter(Boolean) ?? []
  const [args, given] = takeWords(rest, required.length)
  if (args.length < required.length) return answer(`Which one? Write /${name} ${command.usage}.`)
  const { length } = [...given]
  if (length > maxTextLength)
    return answer(
      `What follows /${name} has ${length} characters; at most ${maxTextLength} are taken. Nothing was changed: write it shorter.`
    )
  return command.run({ args, text: given, actor, shownHash })
}

/** The first words, and what follows them. */
function takeWords(given: string, count: number): [words: string[], rest: string] {
  const words: string[] = []
  let rest = given.trim()
  while (words.length < count && rest !== '') {
    const [word = ''] = /^\S+/.exec(rest) ?? []
    words.push(word)
    rest = rest.slice(word.length).trim()
  }
  return [words, rest]
}

/** A notice without lines and actions. */
export const answer = (title: string): Notice => ({ title, lines: [], actions: [] })

function helpLine({ describe, commands }: ChatCommandGroup): string {
  const forms = Object.entries(commands).map(([name, { usage }]) => `/${name} ${usage}`.trim())
  return `${forms.join(', ')}: ${describe}`
}

const helpNotice = (lines: readonly string[]): Notice => ({
  title: 'Messages to the operator arrive here. You can answer:',
  lines: [...lines, 'An id may be shortened to its first 8 characters.'],
  actions: []
})
