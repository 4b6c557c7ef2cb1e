export type CoverFormat = 'post' | 'podcast' | 'film' | 'short'

/** What is on a cover. The same design is the same bytes. */
export interface CoverDesign {
  /** 1200 × 630 for a post, 3000 × 3000 for a podcast; cards of films have 1280 × 720 and, for phones, 1080 × 1920. */
  format: CoverFormat
  template: string
  title: string
  /** Name of the category; it decides the colours, too. */
  category: string
  site: string
  /** Shown in place of the category. */
  label?: string
  /** BCP 47. */
  language: string
  /** Folder with further fonts; empty for none. */
  fontFolder: string
}
