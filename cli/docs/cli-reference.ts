import type { ArgDefinition, ArgDefinitions } from '../../core/contract/command.ts'
import { aliases } from '../aliases.ts'
import type { Catalogue, CatalogueCommand } from '../framework/catalogue.ts'
import { usageLine } from '../framework/help.ts'

const introduction = (name: string): string => `# Commands

Made from the commands themselves by \`npm run docs\`: change them, not this file.

Every command takes \`--help\`, and \`--json\` or \`--json-output\`, which are the same. With it, the result is printed on stdout as JSON: an item in the shape named below, which is that of the API, and a list as \`{items, total, limit, offset}\`; a failure is one line on stderr, \`{error_code, message, errors}\`. Times are ISO 8601 in UTC there; people see them in the zone of the setting \`operator_timezone\`.

Messages for people, progress and questions go to stderr. Colours appear on a terminal only, and not with \`NO_COLOR\` set. An id may be given by 8 or more of its first characters. An unknown flag, a missing argument and a value that is malformed or out of bounds are refused with status 2; what the state of the service does not allow, with 1. \`${name} completion bash\`, \`zsh\` or \`fish\` prints a completion script.

A command that destroys asks first, and \`--yes\` answers for you. What can be made good again is asked of a person at a terminal only: a script, and \`--json\`, are never held up. What is lost for good is refused with status 2 where nobody can be asked, unless the command says otherwise.

| Exit status | Meaning |
| --- | --- |
| 0 | Done |
| 1 | Refused or failed; what and why is on stderr |
| 2 | The command line or a value on it is at fault, an id is ambiguous, or \`--yes\` is needed |
| 130 | Interrupted by Ctrl-C |
`

/** Every command with its flags, defaults, JSON and exit statuses, in Markdown. */
export function referenceOf(catalogue: Catalogue, name: string): string {
  const sections = Object.entries(catalogue).map(([word, entry]) => {
    if ('args' in entry) return [`## ${name} ${word}`, `${entry.describe}.`, ...commandLines([name, word], entry)]
    const commands = Object.entries(entry.commands).flatMap(([second, command]) => [
      `### ${name} ${word} ${second}`,
      `${command.describe}.`,
      ...commandLines([name, word, second], command)
    ])
    return [`## ${name} ${word}`, `${entry.describe}.`, ...commands]
  })
  return `${[introduction(name).trimEnd(), ...sections.flat(), aliasSection(name)].join('\n\n')}\n`
}

function commandLines(path: readonly string[], { args, returns, exitStatuses }: CatalogueCommand): string[] {
  const statuses = Object.entries(exitStatuses ?? {}).map(([status, description]) => `${status} ${description}`)
  return [
    `\`\`\`text\n${usageLine(path.join(' '), args)}\n\`\`\``,
    ...argumentTable(args),
    ...(returns === undefined ? [] : [`JSON: ${returns.startsWith('{') ? `\`${returns}\`` : returns}.`]),
    ...(statuses.length === 0 ? [] : [`Exit status: ${statuses.join('; ')}.`])
  ]
}

function argumentTable(args: ArgDefinitions): string[] {
  const rows = Object.entries(args).map(
    ([name, definition]) => `| ${wordOf(name, definition)} | ${descriptionOf(definition)} | ${defaultOf(definition)} |`
  )
  return rows.length === 0 ? [] : [['| Argument | Meaning | Default |', '| --- | --- | --- |', ...rows].join('\n')]
}

function wordOf(name: string, { type, alias }: ArgDefinition): string {
  if (type === 'positional') return `\`<${name}>\``
  return [`--${name}`, ...(alias === undefined ? [] : [`-${alias}`])].map(word => `\`${word}\``).join(', ')
}

function descriptionOf({ describe, options, minimum, maximum }: ArgDefinition): string {
  const bounds = [minimum === undefined ? '' : `at least ${minimum}`, maximum === undefined ? '' : `at most ${maximum}`]
  const limits = [options === undefined ? '' : `one of ${options.join(', ')}`, ...bounds].filter(Boolean).join(', ')
  return `${describe}${limits === '' ? '' : ` (${limits})`}`.replaceAll('|', '\\|')
}

function defaultOf({ type, default: fallback, required = false }: ArgDefinition): string {
  if (required) return 'required'
  if (fallback !== undefined) return `\`${fallback}\``
  return type === 'boolean' ? 'off' : '–'
}

function aliasSection(name: string): string {
  const rows = Object.entries(aliases).map(([old, now]) => `| \`${name} ${old}\` | \`${name} ${now.join(' ')}\` |`)
  return [
    '## Deprecated words',
    'They still work, with a notice on stderr, and go away with the next release.',
    ['| Deprecated | Use |', '| --- | --- |', ...rows].join('\n')
  ].join('\n\n')
}
