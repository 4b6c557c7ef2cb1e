/** What is reported of the work while it is done. */
export interface Steps {
  /** Called with the percent that is done. @throws to end the work, when nobody wants it any more */
  report(percent: number): Promise<void>
  /** Called when something was saved that another try finds. */
  onSaved(): Promise<void>
}
