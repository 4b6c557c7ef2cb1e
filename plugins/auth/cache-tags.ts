/** Cache tag of the OAuth clients and their tokens. */
export const clientsCacheTag = 'clients'
