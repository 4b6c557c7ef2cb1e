import { flagWords, shellQuoted, takesValue, valuePatterns } from './shell-words.ts'
import type { Completion, Completions, Word } from './words.ts'

const joined = (words: readonly string[]): string => shellQuoted(words.join(' '))

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

function bashArguments({ path, words }: Completion): string[] {
  return words.flatMap((value, index) => {
    if (value === 'text') return []
    const found = value === 'file' ? '-f' : `-W ${joined(value)}`
    return [`      ${shellQuoted(`${path} ${index}`)}) COMPREPLY=($(compgen ${found} -- "$cur")); return ;;`]
  })
}

const bashGroup = (group: string, words: readonly Word[]): string =>
  `      ${group}) if [ "$COMP_CWORD" -eq 2 ]; then words=${joined(words.map(({ word }) => word))}; else at="${group} \${COMP_WORDS[2]}"; fi ;;`

function bashValues({ path, flags }: Completion): string[] {
  return flags.filter(takesValue).map(flag => {
    const pattern = flagWords(flag)
      .map(word => shellQuoted(`${path} ${word}`))
      .join('|')
    if (flag.value === 'file') return `      ${pattern}) COMPREPLY=($(compgen -f -- "$cur")); return ;;`
    if (flag.value === 'text') return `      ${pattern}) return ;;`
    return `      ${pattern}) COMPREPLY=($(compgen -W ${joined(flag.value)} -- "$cur")); return ;;`
  })
}

const bashCommand = ({ path, flags }: Completion): string =>
  `      ${shellQuoted(path)}) words=${joined(flags.map(({ word }) => word))} ;;`
