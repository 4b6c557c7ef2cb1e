import path from 'node:path'
import { shellWord } from '#cli'
import { command, type FieldErrors, type Installation } from '#core'
import { createTheme } from '../themes/create-theme.ts'
import { tryTheme } from '../themes/try-theme.ts'

interface ThemeReport {
  theme: string
  files: string[]
  faults: string[]
}

export const siteCommands = ({ installation }: { installation: Pick<Installation, 'packagesFolder'> }) => ({
  theme: command({
    describe: 'Write a theme that works at once into a new folder (create), or try one with sample pages (check)',
    returns: '{theme, files, faults}',
    exitStatuses: { 1: 'the theme has faults, or could not be written' },
    args: {
      action: { type: 'positional', describe: 'create or check', options: ['create', 'check'], required: true },
      theme: {
        type: 'positional',
        describe: 'Folder of the theme; for check also the name of an installed package',
        required: true
      }
    },
    validate: ({ theme }): FieldErrors =>
      theme !== undefined && theme.length > maxLength ? { theme: 'is too long' } : {},
    async run({ args: { action, theme }, terminal }): Promise<ThemeReport> {
      if (action === 'create') {
        const folder = path.resolve(terminal.cwd, theme)
        const { files } = await createTheme(folder)
        return { theme: folder, files, faults: [] }
      }
      // A path is meant from where the command was typed.
      const name = theme.startsWith('.') ? path.resolve(terminal.cwd, theme) : theme
      return { theme: name, files: [], faults: await tryTheme(name, installation.packagesFolder, terminal.signal) }
    },
    text: ({ theme, files, faults }, _, { action }) => {
      if (action === 'create')
        return `Wrote ${files.join(', ')} to ${theme}.\nTo show it: galley settings set site_theme ${shellWord(theme)}`
      return faults.length === 0 ? `The theme ${theme} makes every kind of page.` : faults.join('\n')
    },
    exitStatus: ({ faults }) => (faults.length === 0 ? 0 : 1)
  })
})

const maxLength = 500
