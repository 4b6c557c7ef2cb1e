import { setting, Type } from '#core'
import { addressSchema } from '#requests'

export const storageSettings = {
  // Never empty: a key is bound to the host of its address.
  storage_endpoint: setting(addressSchema({ maxLength: 500, pattern: '^https?://[^\\s?#]+$' }), {
    default: 'https://s3.amazonaws.com',
    isMachine: true,
    describe:
      'Address of the object storage that s3:// addresses are at: Amazon, or any service that speaks S3, such as http://localhost:9000.'
  }),
  storage_region: setting(Type.String({ maxLength: 60, pattern: '^[A-Za-z0-9-]+$' }), {
    default: 'us-east-1',
    isMachine: true,
    describe: 'Region of the buckets; services without regions take us-east-1 or auto.'
  }),
  storage_access_key: setting(Type.String({ maxLength: 200, pattern: '^[\\x21-\\x7e]*$' }), {
    default: '',
    isMachine: true,
    describe:
      'Id of the key for the object storage. It needs s3:ListBucket, and s3:GetObject, PutObject and DeleteObject.'
  }),
  storage_secret_key: setting(Type.String({ maxLength: 500 }), {
    default: '',
    describe: 'Secret of the key for the object storage.',
    isSecret: true,
    sentTo: 'storage_endpoint'
  }),
  storage_bucket_style: setting(Type.Enum(['auto', 'path', 'host']), {
    default: 'auto',
    isMachine: true,
    describe:
      'How the bucket is named: path (https://host/bucket), host (https://bucket.host), or auto: host at Amazon, else path.'
  })
}

export type StorageSettings = typeof storageSettings
