import { cachingNginx } from '../../helpers/caching-nginx.ts'
import { enterPlainly } from '../enter-plainly.ts'
import type { World } from '../world.ts'

export const sharedCache: World = {
  name: 'shared-cache',
  about: 'clients come through an nginx that keeps every answer that does not forbid it',
  tests: [],
  except: { '*': 'they ask the service itself, many of them without a socket' },
  async enter(t) {
    return {
      ...enterPlainly(),
      async front(_, { url }) {
        const nginx = await cachingNginx(t, url)
        return nginx?.url ?? url
      },
    }
  },
}
