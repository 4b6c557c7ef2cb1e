import { service } from './services.ts'

/** Credentials of the client that `setup` makes. `client_secret` is shown once; null when the client existed before. */
export interface InitialClient {
  client_id: string
  client_secret: string | null
}

/** Makes the first OAuth client of an installation. Provided by the plugin that keeps the clients. */
export interface ClientProvisioner {
  /** Makes the client named `cli` with scope `api:read api:write` and writes its setting pair; with `rotate`, replaces it. */
  provision(options: { rotate: boolean }): Promise<InitialClient>
}
export const ClientProvisionerService = service<ClientProvisioner>('core.client-provisioner')
