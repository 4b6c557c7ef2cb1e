import type { Notice } from '#plugins/notify'
import { truncateText } from '#text/excerpts'
import { pluralized } from '#text/plural'

/** Notifies the operator that the export fails. */
export const exportFailureNotice = (failure: string): Notice => ({
  title: 'The static export cannot be written',
  lines: [
    truncateText(failure, 500),
    'What was withdrawn may still be there. It is tried again every 15 minutes:',
    'galley export status'
  ],
  actions: []
})

/** Notifies the operator of what the nightly verification found. */
export const findingsNotice = (findings: number): Notice => ({
  title: `The static export is not as it should be: ${pluralized(findings, 'file')}`,
  lines: ['See which, and repair it:', 'galley export verify --fix'],
  actions: []
})
