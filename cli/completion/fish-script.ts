import { flagWords, takesValue } from './shell-words.ts'
import type { Completion, Completions, Flag, Value, Word } from './words.ts'

/** For `galley completion fish | source`. */
export function fishScript(name: string, completions: Completions): string {
  const groups = Object.entries(completions.second).flatMap(([group, words]) =>
    words.map(word => fishWord(name, `__${name}_after ${group}`, word))
  )
  return `# Completion of ${name} for fish: ${name} completion fish | source
function __${name}_after
    set -l typed (commandline -opc)[2..-1]
    test "$typed" = "$argv"
end
function __${name}_in
    set -l typed (commandline -opc)[2..-1]
    set -l last (count $argv)
    test (count $typed) -ge $last; and test "$typed[1..$last]" = "$argv"
end
function __${name}_npx
    complete -C (string replace -r '^\\s*npx\\s+' '' -- (commandline -cp))
end
function __${name}_argument
    set -l typed (commandline -opc)[2..-1]
    set -l last (math (count $argv) - 2)
    test (count $typed) -ge $last; and test "$typed[1..$last]" = "$argv[3..-1]"; or return 1
    set -l skip 0
    set -l n 0
    for word in $typed[(math $last + 1)..-1]
        if test $skip = 1
            set skip 0
        else if contains -- $word (string split ' ' -- $argv[2])
            set skip 1
        else if not string match -q -- '-*' $word
            set n (math $n + 1)
        end
    end
    test $n = $argv[1]
end
complete -c npx -f -n 'test "$(commandline -opc)[2]" = ${name}' -a '(__${name}_npx)'
complete -c ${name} -f
${completions.first.map(word => fishWord(name, `__${name}_after`, word)).join('\n')}
${groups.join('\n')}
${completions.commands.flatMap(command => fishCommand(name, command)).join('\n')}
`
}

const fishQuote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const fishWord = (name: string, condition: string, { word, describe }: Word): string =>
  `complete -c ${name} -n ${fishQuote(condition)} -a ${word} -d ${fishQuote(describe)}`

function fishCommand(name: string, { path, flags, words }: Completion): string[] {
  const start = `complete -c ${name} -n ${fishQuote(`__${name}_in ${path}`)}`
  const lines = flags.map(({ word, alias, value, describe }) => {
    const short = alias === undefined ? '' : ` -s ${alias}`
    return `${start} -l ${word.slice(2)}${short}${fishValue(value)} -d ${fishQuote(describe)}`
  })
  const taking = flags.filter(takesValue).flatMap(flagWords).join(' ')
  return [...words.flatMap((value, index) => fishArgument(name, { path, taking, index, value })), ...lines]
}

function fishArgument(
  name: string,
  { path, taking, index, value }: { path: string; taking: string; index: number; value: Value }
): string[] {
  if (value === 'text') return []
  const condition = fishQuote(`__${name}_argument ${index} "${taking}" ${path}`)
  const found = value === 'file' ? '-F' : `-a ${fishQuote(value.join(' '))}`
  return [`complete -c ${name} -n ${condition} ${found}`]
}

function fishValue(value: Flag['value']): string {
  if (value === 'none') return ''
  if (value === 'file') return ' -r -F'
  return value === 'text' ? ' -x' : ` -x -a ${fishQuote(value.join(' '))}`
}
