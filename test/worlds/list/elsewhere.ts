import { enterPlainly } from '../enter-plainly.ts'
import { FRONTS } from '../front-tests.ts'
import type { World } from '../world.ts'

export const elsewhere: World = {
  name: 'elsewhere',
  about: 'everything is in a schema whose name has to be quoted; `public` is not on the search path',
  tests: FRONTS,
  except: {},
  enter: async () => enterPlainly({ schema: 'Else where' }),
}
