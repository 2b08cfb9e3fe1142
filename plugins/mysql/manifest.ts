import type { Manifest } from '../../core/doors/plugin.ts'
import { CLIENT_PACKAGE } from './packages.ts'

const manifest: Manifest = {
  name: 'mysql',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Driver for MariaDB and MySQL servers (`mysql:` and `mariadb:` URLs).',
  databaseSchemes: ['mysql', 'mariadb'],
  packages: [CLIENT_PACKAGE],
}
export default manifest
