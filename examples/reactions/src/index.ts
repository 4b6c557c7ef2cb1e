import { event } from 'galley/plugin'

/** A reader's reaction, as the API answers it. */
export interface Reaction {
  reaction_id: string
  post_id: string
  kind: string
  note: string | null
  status: 'shown' | 'held' | 'rejected'
  created_at: string
}

/** A reaction is shown with its post. */
export const ReactionShown = event<{ reaction_id: string; post_id: string; kind: string }>('reactions.shown')
