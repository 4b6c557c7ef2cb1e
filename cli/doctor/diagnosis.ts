import { version } from '../../core/version.ts'
import { type DiagnosisTarget, diagnose } from '../checks/diagnose.ts'
import type { Report } from '../checks/report.ts'

/** The result of `galley doctor`. */
export interface Diagnosis extends Report {
  home: string
  version: string
  /** The zone that people read the times in. */
  operator_timezone: string
}

export const diagnosisOf = async (home: string, target: DiagnosisTarget): Promise<Diagnosis> => ({
  ...(await diagnose(target)),
  home,
  version,
  // Read by then, where they can be.
  operator_timezone: target.kernel instanceof Error ? 'UTC' : target.kernel.settings.value('operator_timezone')
})
