import type { ErrorDefinition } from '#core'

export const newsletterErrors = {
  CONFIRMATION_EXPIRED: {
    status: 410,
    describe: 'The token of a sign-up is unknown, was used, or is older than 48 hours; sign up again.',
    message: 'This confirmation was used already, or is too old: sign up again.'
  }
} as const satisfies Record<string, ErrorDefinition>
