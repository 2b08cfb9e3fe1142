import type { OptionalPackages } from '../../core/doors/plugin.ts'

/** The package that speaks the protocol of MariaDB and MySQL servers. */
export const CLIENT_PACKAGE: OptionalPackages = { names: ['mysql2'], for: 'databases of MariaDB and MySQL' }
