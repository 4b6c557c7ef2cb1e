/** What the process is started with. Everything else is a setting. */
export interface Config {
  /** `GALLEY_HOME`: the private folder of this installation. */
  readonly home: string
  /** `DATABASE_URL`; undefined: the embedded database in the home. */
  readonly databaseUrl: string | undefined
  /** `POINDEXTER_SECRET_KEY`: base64 of the 32 bytes that encrypt secret settings. */
  readonly secretKey: string
  /** `GALLEY_JWT_SECRET`: what tokens and signatures are derived from. */
  readonly jwtSecret: string
  readonly host: string
  readonly port: number
  readonly logLevel: string
  readonly pluginsConfigPath: string
  /** Which of the two keys the environment gives; the others are from `bootstrap.env`, where galley can rotate them. */
  readonly fromEnvironment?: readonly string[]
}
