import { type Check, degraded, ok, skipped } from '#core'
import type { Covers } from './covers.ts'

/** Whether the covers that the operator wants can be made, as far as can be told without paying for one. */
export const coverCheck = (covers: Pick<Covers, 'isOn' | 'findFault'>): Check => ({
  name: 'post covers',
  async run({ signal }) {
    if (!covers.isOn()) return skipped('media_on_publish does not ask for covers')
    const fault = await covers.findFault(signal)
    if (fault === null) return ok('published posts get a cover')
    return degraded(fault.found, fault.remedy)
  }
})
