import { CONTRACT, definePlugin, on, setting, Type } from 'galley/plugin'
import { GatesService } from 'galley/plugins/gates'
import { PostWithdrawn, PublishedPostsService } from 'galley/plugins/posts'
import { railSettings, TasksService } from 'galley/plugins/tasks'
import { closingQuestion } from './closing-question.ts'
import { createReactions, reactionReview } from './reactions.ts'
import { deleteOfPost } from './repository.ts'
import { reactionRoutes } from './routes.ts'

export default definePlugin({
  name: 'reactions',
  contract: CONTRACT,
  describe: 'Readers react to posts',
  needs: { gates: GatesService, published: PublishedPostsService, tasks: TasksService },
  settings: {
    ...railSettings(closingQuestion),
    reactions_kinds: setting(Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { minItems: 1, maxItems: 20 }), {
      default: ['like', 'insightful'],
      describe: 'What readers may choose from: a JSON list.'
    }),
    pipeline_gate_reaction_review: setting(Type.Union([Type.Literal('on'), Type.Literal('off')]), {
      default: 'off',
      category: 'gates',
      describe: 'on: a reaction waits for a decision before readers see it.'
    })
  },
  migrations: new URL('../migrations/', import.meta.url),
  setup({ needs: { gates, published, tasks }, settings, db, emit }) {
    const isReviewed = () => settings.get('pipeline_gate_reaction_review') === 'on'
    const kinds = () => settings.get('reactions_kinds')
    const reactions = createReactions({ db, emit, gates, published, kinds, isReviewed })
    gates.registerGate(reactionReview(reactions, isReviewed))
    tasks.registerRail(closingQuestion)
    return {
      services: {},
      routes: reactionRoutes({ db, reactions }),
      commands: {
        reactions: {
          describe: 'What readers think of posts',
          load: async () => (await import('./commands/reactions.ts')).reactionCommands(db)
        }
      },
      graphql: async () => (await import('./graphql.ts')).reactionGraphql(db),
      // A post that comes back starts anew. Told twice, it removes nothing the second time.
      subscriptions: [on(PostWithdrawn, ({ post_id }) => deleteOfPost(db, post_id))]
    }
  }
})
