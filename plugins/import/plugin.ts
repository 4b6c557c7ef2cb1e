import path from 'node:path'
import { CONTRACT, definePlugin, FormerAddressesService } from '#core'
import { PostsService } from '#plugins/posts'
import { announceImportedJob } from './announcement.ts'
import { createFormerAddresses } from './former-addresses.ts'

export default definePlugin({
  name: 'import',
  contract: CONTRACT,
  describe: 'Posts of other systems: Ghost, WordPress, folders of markdown',
  needs: { posts: PostsService },
  provides: { formerAddresses: FormerAddressesService },
  setup({ needs: { posts }, db, enqueue, installation, now }) {
    const workFolder = path.join(installation.home, 'work', 'import')
    return {
      services: { formerAddresses: createFormerAddresses({ db, publicUrl: posts.publicUrl }) },
      jobs: [announceImportedJob(db, posts.imports)],
      commands: {
        import: {
          describe: 'Take over the posts of another system',
          load: async () =>
            (await import('./commands/import.ts')).importCommands({ db, enqueue, posts, workFolder, now })
        }
      }
    }
  }
})
