import { type CommandGroup, command } from '../../core/contract/command.ts'
import { describeWithoutBroken, readBuiltCatalogue } from '../catalogue.ts'
import { pluginsConfigPath } from '../config/plugins-config.ts'
import type { Program } from '../framework/catalogue.ts'
import { brokenPluginsWarning } from '../plugins/broken-plugins-warning.ts'
import { bashScript } from './bash-script.ts'
import { fishScript } from './fish-script.ts'
import { completionsOf } from './words.ts'
import { zshScript } from './zsh-script.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const
const shells = ['bash', 'zsh', 'fish'] as const satisfies readonly (keyof typeof scripts)[]

/** `galley completion <shell>`: made from the commands there are, plugins' included, without a database. */
export function completionCommand(env: NodeJS.ProcessEnv, local: Program): CommandGroup[string] {
  return command({
    describe: 'Print a completion script; in bash: source <(galley completion bash)',
    args: { shell: { type: 'positional', required: true, options: shells, describe: 'Shell it is for' } },
    async run({ args, terminal }): Promise<{ shell: string; script: string }> {
      const built = readBuiltCatalogue(pluginsConfigPath(env.GALLEY_PLUGINS, terminal.cwd))
      const { catalogue, problems } =
        built === null
          ? await describeWithoutBroken({ env, cwd: terminal.cwd, local })
          : { catalogue: built, problems: [] }
      if (problems.length > 0) terminal.note(brokenPluginsWarning(problems))
      return { shell: args.shell, script: scripts[args.shell]('galley', completionsOf(catalogue)) }
    },
    text: ({ script }) => script.trimEnd(),
    returns: '{shell, script}'
  })
}
