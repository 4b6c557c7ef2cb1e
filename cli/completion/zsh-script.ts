import { flagWords, shellQuoted, takesValue, valuePatterns } from './shell-words.ts'
import type { Completion, Completions, Word } from './words.ts'

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
  words.map(({ word, describe }) => shellQuoted(`${word.replaceAll(':', '\\:')}:${describe}`)).join(' ')

const zshGroup = (group: string, words: readonly Word[]): string =>
  `    ${group}) if (( CURRENT == 3 )); then choices=(${zshWords(words)}); _describe 'command' choices; return; fi; at="${group} \${words[3]}" ;;`

function zshValues({ path, flags }: Completion): string[] {
  return flags.filter(takesValue).map(flag => {
    const pattern = flagWords(flag)
      .map(word => shellQuoted(`${path} ${word}`))
      .join('|')
    if (flag.value === 'file') return `    ${pattern}) _files; return ;;`
    if (flag.value === 'text') return `    ${pattern}) _message ${shellQuoted(flag.describe)}; return ;;`
    return `    ${pattern}) compadd -- ${flag.value.map(shellQuoted).join(' ')}; return ;;`
  })
}

const zshCommand = ({ path, flags }: Completion): string =>
  `    ${shellQuoted(path)}) choices=(${zshWords(flags)}); _describe -o 'flag' choices ;;`

function zshArguments({ path, words }: Completion): string[] {
  return words.flatMap((value, index) => {
    if (value === 'text') return []
    const found = value === 'file' ? '_files' : `compadd -- ${value.map(shellQuoted).join(' ')}`
    return [`    ${shellQuoted(`${path} ${index}`)}) ${found}; return ;;`]
  })
}
