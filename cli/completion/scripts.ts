import type { Completion, Completions, Flag, Value, Word } from './words.ts'

/** In single quotes a POSIX shell leaves everything as it is. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const joined = (words: readonly string[]): string => quote(words.join(' '))

const namesOf = ({ word, alias }: Flag): string[] => (alias === undefined ? [word] : [word, `-${alias}`])
const takesValue = ({ value }: Flag): boolean => value !== 'none'

/** For `source <(galley completion bash)`; works in bash 3.2 too, which macOS has. */
export function bashScript(name: string, completions: Completions): string {
  return `# Completion of ${name} for bash: source <(${name} completion bash)
_${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at words i=2 n=0
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
    # Which argument this is: flags and their values do not count.
    case $at in *' '*) i=3 ;; esac
    for ((; i < COMP_CWORD; i++)); do
      case "$at \${COMP_WORDS[i]}" in
        ${valuePatterns(completions)}) i=$((i + 1)); if [ "\${COMP_WORDS[i]}" = '=' ]; then i=$((i + 1)); fi ;;
        "$at -"*) ;;
        *) n=$((n + 1)) ;;
      esac
    done
    case $cur in -*) ;; *) case "$at $n" in
${completions.commands.flatMap(bashArguments).join('\n')}
    esac ;; esac
    case $at in
${completions.commands.map(bashCommand).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _${name} ${name}
_${name}_npx() {
  COMPREPLY=()
  if [ "\${COMP_WORDS[1]}" != ${name} ] || [ "$COMP_CWORD" -lt 2 ]; then return; fi
  COMP_WORDS=("\${COMP_WORDS[@]:1}")
  COMP_CWORD=$((COMP_CWORD - 1))
  _${name}
}
complete -p npx >/dev/null 2>&1 || complete -o default -F _${name}_npx npx
`
}

/** Flags behind which a value stands, as a pattern of \`case\`. */
const valuePatterns = ({ commands }: Completions): string =>
  commands
    .flatMap(({ path, flags }) =>
      flags.filter(takesValue).flatMap(flag => namesOf(flag).map(word => quote(`${path} ${word}`)))
    )
    .join('|') || "''"

function bashArguments({ path, words }: Completion): string[] {
  return words.flatMap((value, index) => {
    if (value === 'text') return []
    const found = value === 'file' ? '-f' : `-W ${joined(value)}`
    return [`      ${quote(`${path} ${index}`)}) COMPREPLY=($(compgen ${found} -- "$cur")); return ;;`]
  })
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

const bashCommand = ({ path, flags }: Completion): string =>
  `      ${quote(path)}) words=${joined(flags.map(({ word }) => word))} ;;`

/** For a file `_galley` on `$fpath`, or for `source <(galley completion zsh)`. */
export function zshScript(name: string, completions: Completions): string {
  return `#compdef ${name}
# Completion of ${name} for zsh: source <(${name} completion zsh)
_${name}() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]} at=\${words[2]} i=3 n=0
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
  # Which argument this is: flags and their values do not count.
  if [[ $at == *' '* ]]; then i=4; fi
  for ((; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${valuePatterns(completions)}) i=$((i + 1)) ;;
      "$at -"*) ;;
      *) n=$((n + 1)) ;;
    esac
  done
  if [[ $cur != -* ]]; then case "$at $n" in
${completions.commands.flatMap(zshArguments).join('\n')}
  esac; fi
  case $at in
${completions.commands.map(zshCommand).join('\n')}
  esac
}
_${name}_npx() {
  if [[ \${words[2]} != ${name} ]]; then _default; return; fi
  shift words
  CURRENT=$((CURRENT - 1))
  _${name}
}
if [ "$funcstack[1]" = _${name} ]; then
  _${name} "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _${name} ${name}
  (( $+_comps[npx] )) || compdef _${name}_npx npx
fi
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

const zshCommand = ({ path, flags }: Completion): string =>
  `    ${quote(path)}) choices=(${zshWords(flags)}); _describe -o 'flag' choices ;;`

function zshArguments({ path, words }: Completion): string[] {
  return words.flatMap((value, index) => {
    if (value === 'text') return []
    const found = value === 'file' ? '_files' : `compadd -- ${value.map(quote).join(' ')}`
    return [`    ${quote(`${path} ${index}`)}) ${found}; return ;;`]
  })
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
  const taking = flags.filter(takesValue).flatMap(namesOf).join(' ')
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
