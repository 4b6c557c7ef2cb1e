import type { Completion, Completions, Flag, Word } from './completion-words.ts'

/** In single quotes a POSIX shell leaves everything as it is. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const joined = (words: readonly string[]): string => quote(words.join(' '))

const namesOf = ({ word, alias }: Flag): string[] => (alias === undefined ? [word] : [word, `-${alias}`])
const takesValue = ({ value }: Flag): boolean => value !== 'none'

/** For `source <(galley completion bash)`; works in bash 3.2 too, which macOS has. */
export function bashScript(name: string, completions: Completions): string {
  return `# Completion of ${name} for bash: source <(${name} completion bash)
_${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at words
  COMPREPLY=()
  # bash cuts --flag=value into three words.
  if [ "$cur" = '=' ]; then cur=''; elif [ "$prev" = '=' ]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  at=\${COMP_WORDS[1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${joined(completions.first.map(({ word }) => word))}
  else
    case $at in
${Object.entries(completions.second)
  .map(([group, words]) => bashGroup(group, words))
  .join('\n')}
    esac
  fi
  if [ -z "$words" ]; then
    case "$at $prev" in
${completions.commands.flatMap(bashValues).join('\n')}
    esac
    case $at in
${completions.commands.map(bashCommand).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _${name} ${name}
`
}

const bashGroup = (group: string, words: readonly Word[]): string =>
  `      ${group}) if [ "$COMP_CWORD" -eq 2 ]; then words=${joined(words.map(({ word }) => word))}; else at="${group} \${COMP_WORDS[2]}"; fi ;;`

function bashValues({ path, flags }: Completion): string[] {
  return flags.filter(takesValue).map(flag => {
    const pattern = namesOf(flag)
      .map(word => quote(`${path} ${word}`))
      .join('|')
    if (flag.value === 'file') return `      ${pattern}) COMPREPLY=($(compgen -f -- "$cur")); return ;;`
    if (flag.value === 'text') return `      ${pattern}) return ;;`
    return `      ${pattern}) COMPREPLY=($(compgen -W ${joined(flag.value as string[])} -- "$cur")); return ;;`
  })
}

const bashCommand = ({ path, flags, words }: Completion): string =>
  `      ${quote(path)}) words=${joined([...words, ...flags.map(({ word }) => word)])} ;;`

/** For a file `_galley` on `$fpath`, or for `source <(galley completion zsh)` after `compinit`. */
export function zshScript(name: string, completions: Completions): string {
  return `#compdef ${name}
# Completion of ${name} for zsh: source <(${name} completion zsh), after compinit
_${name}() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]} at=\${words[2]}
  local -a choices
  if [[ $cur == --*=* ]]; then prev=\${cur%%=*}; compset -P '*='; fi
  if (( CURRENT == 2 )); then
    choices=(${zshWords(completions.first)})
    _describe 'command' choices
    return
  fi
  case $at in
${Object.entries(completions.second)
  .map(([group, words]) => zshGroup(group, words))
  .join('\n')}
  esac
  case "$at $prev" in
${completions.commands.flatMap(zshValues).join('\n')}
  esac
  case $at in
${completions.commands.map(zshCommand).join('\n')}
  esac
}
if [ "$funcstack[1]" = _${name} ]; then _${name} "$@"; else compdef _${name} ${name}; fi
`
}

/** \`word:description\`; a colon inside would end the word. */
const zshWords = (words: readonly Word[]): string =>
  words.map(({ word, describe }) => quote(`${word.replaceAll(':', '\\:')}:${describe}`)).join(' ')

const zshGroup = (group: string, words: readonly Word[]): string =>
  `    ${group}) if (( CURRENT == 3 )); then choices=(${zshWords(words)}); _describe 'command' choices; return; fi; at="${group} \${words[3]}" ;;`

function zshValues({ path, flags }: Completion): string[] {
  return flags.filter(takesValue).map(flag => {
    const pattern = namesOf(flag)
      .map(word => quote(`${path} ${word}`))
      .join('|')
    if (flag.value === 'file') return `    ${pattern}) _files; return ;;`
    if (flag.value === 'text') return `    ${pattern}) _message ${quote(flag.describe)}; return ;;`
    return `    ${pattern}) compadd -- ${(flag.value as string[]).map(quote).join(' ')}; return ;;`
  })
}

function zshCommand({ path, flags, words }: Completion): string {
  const own = words.length === 0 ? '' : `compadd -- ${words.map(quote).join(' ')}; `
  return `    ${quote(path)}) ${own}choices=(${zshWords(flags)}); _describe -o 'flag' choices ;;`
}

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
  return words.length === 0 ? lines : [`${start} -a ${fishQuote(words.join(' '))}`, ...lines]
}

function fishValue(value: Flag['value']): string {
  if (value === 'none') return ''
  if (value === 'file') return ' -r -F'
  return value === 'text' ? ' -x' : ` -x -a ${fishQuote(value.join(' '))}`
}
