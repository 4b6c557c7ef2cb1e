import type { ErrorDefinition } from '#core'

/** The error codes of this plugin. */
export const gateErrors = {
  CONTENT_CHANGED: {
    status: 409,
    describe: 'The content is not what the decision was about; look at it again and decide then.',
    message: 'The content changed since it was approved: look at it again and decide then.'
  }
} as const satisfies Record<string, ErrorDefinition>
