import type { ErrorDefinition } from '#core'

/** The error codes of this plugin. */
export const postErrors = {
  DUPLICATE_TITLE: {
    status: 409,
    describe: 'A published post has nearly this title; change it, or force.',
    message: 'A published post has nearly this title: change it, or send "force": true.'
  },
  DUPLICATE_CONTENT: {
    status: 409,
    describe: 'The draft nearly repeats a post that was published or scheduled since; change or reject it, or force.',
    message:
      'how-tides-follow-the-moon nearly repeats the post the-moon-and-the-tides: change or reject it, or decide so all the same with force.'
  },
  NICHE_REQUIRED: {
    status: 409,
    describe: 'The post has no niche_slug, and `niche_gated_publishing` is on; give it one, or force.',
    message:
      'how-tides-follow-the-moon has no niche_slug, and niche_gated_publishing is on: give it one, or decide so all the same with force.'
  }
} as const satisfies Record<string, ErrorDefinition>
