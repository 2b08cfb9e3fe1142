import { randomUUID } from 'node:crypto'
import { createHostileProxy } from '../../helpers/hostile-proxy.ts'
import { requireService, SERVICES, type ServiceName } from '../../helpers/services.ts'
import { enterPlainly } from '../enter-plainly.ts'
import { proxyFaults } from '../proxy-faults.ts'
import type { World } from '../world.ts'

const WHY = { '*': 'they expect answers where these lines break; the fronts are asked for refusals instead' }

/** A line to a service of the machine, which breaks in all ways. */
function brokenLine(service: ServiceName, toml: (address: string) => string): World {
  return {
    name: `broken-${service}`,
    about: `the line to ${service} is cut, frozen, slow and corrupt in turn`,
    tests: [],
    except: WHY,
    async enter(t) {
      if (!(await requireService(t, service))) return null
      const { host, port } = SERVICES[service]
      const proxy = await createHostileProxy(t, host, port)
      const plain = enterPlainly()
      return {
        ...plain,
        toml: toml(`127.0.0.1:${proxy.port}`),
        // The SQL of the test is run past it.
        served: (url) =>
          service === 'postgres' ? Object.assign(new URL(url), { host: `127.0.0.1:${proxy.port}` }).href : url,
        faults: () => proxyFaults(proxy),
        leave: async () => proxy.heal(),
      }
    },
  }
}

const ours = (): string => randomUUID().slice(0, 8)

export const brokenPostgres = brokenLine('postgres', () => enterPlainly().toml)

export const brokenRedis = brokenLine(
  'redis',
  (address) => `
[project]
name = "world_${ours()}"
[observers]
enabled = true
backend = "kvstore"
kvstore_url = "redis://${address}"
[security.rate_limiting]
enabled = true
requests_per_second = 100000
burst_size = 100000
kvstore_url = "redis://${address}"
[security.token_revocation]
enabled = true
backend = "kvstore"
kvstore_url = "redis://${address}"
[svc.apq]
enabled = true
kvstore_url = "redis://${address}"
`,
)

export const brokenNats = brokenLine(
  'nats',
  (address) => `
[project]
name = "world_${ours()}"
[observers]
enabled = true
backend = "msgbus"
msgbus_url = "nats://${address}"
`,
)
