import { UnavailableError } from '#core'

/** No cover, and another try would end as this one: settings, a picture or an answer are to be corrected first. */
export class CoverError extends UnavailableError {}
