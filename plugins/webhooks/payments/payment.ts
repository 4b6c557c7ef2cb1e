/** Money that came in, or went back. */
export interface Payment {
  kind: 'payment' | 'refund'
  /** What the sender knows it by; null when it does not say: then every event counts. */
  object: string | null
  /** Decimal, exact, in units of the currency. */
  amount: string
  /** ISO 4217, in capitals. */
  currency: string
  plan: string | null
  /** When it was paid or refunded; null when the sender does not say. */
  at: Date | null
  /** When the sender said so, which orders the events of one object; null: `at`. */
  saidAt: Date | null
}
