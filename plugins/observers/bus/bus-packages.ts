import type { OptionalPackages } from '../../../core/doors/plugin.ts'

/** Clients of buses by backend, which svc does not install. */
export const BUS_PACKAGES = {
  kvstore: { names: ['ioredis'], for: 'backend = "kvstore"', when: { option: 'backend', is: 'kvstore' } },
  msgbus: {
    names: ['@nats-io/transport-node', '@nats-io/jetstream'],
    for: 'backend = "msgbus"',
    when: { option: 'backend', is: 'msgbus' },
  },
  mariadb: { names: ['mysql2'], for: 'backend = "mariadb"', when: { option: 'backend', is: 'mariadb' } },
} as const satisfies Readonly<Record<string, OptionalPackages>>
