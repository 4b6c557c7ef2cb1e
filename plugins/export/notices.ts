import type { Notice } from '#plugins/notify'
import { truncateText } from '#text/excerpts'
import { pluralized } from '#text/plural'

/** Tells the operator that the export stands still. */
export const exportFailureNotice = (failure: string): Notice => ({
  title: 'The static export cannot be written',
  lines: [
    truncateText(failure, 500),
    'What was withdrawn may still be there. It is tried again every 15 minutes:',
    'galley export status'
  ],
  actions: []
})

/** Tells the operator what the nightly look found. */
export const findingsNotice = (findings: number): Notice => ({
  title: `The static export is not as it should be: ${pluralized(findings, 'file')}`,
  lines: ['See which, and repair it:', 'galley export verify --fix'],
  actions: []
})
