import { type Check, degraded, ok, skipped } from '#core'
import type { Covers } from './covers.ts'

/** Whether the covers that the operator wants can be made, as far as settings tell. */
export const coverCheck = (covers: Pick<Covers, 'isOn' | 'settingsFault'>): Check => ({
  name: 'post covers',
  async run() {
    if (!covers.isOn()) return skipped('media_on_publish does not ask for covers')
    const fault = covers.settingsFault()
    if (fault === null) return ok('published posts get a cover')
    return degraded(fault.found, fault.remedy)
  }
})
