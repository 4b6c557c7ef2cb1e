import path from 'node:path'
import { CONTRACT, definePlugin } from '#core'
import { PostsService } from '#plugins/posts'

export default definePlugin({
  name: 'import',
  contract: CONTRACT,
  describe: 'Posts of other systems: Ghost, WordPress, folders of markdown',
  needs: { posts: PostsService },
  setup({ needs: { posts }, db, installation, now }) {
    const workFolder = path.join(installation.home, 'work', 'import')
    return {
      services: {},
      commands: {
        import: {
          describe: 'Take over the posts of another system',
          load: async () => (await import('./commands/import.ts')).importCommands({ db, posts, workFolder, now })
        }
      }
    }
  }
})
