import { enterPlainly } from '../enter-plainly.ts'
import { FRONTS } from '../front-tests.ts'
import type { World } from '../world.ts'

/** West of Greenwich, and not by whole hours: days, offsets and "now" differ from UTC in both directions of a conversion. */
export const west: World = {
  name: 'west',
  about: 'the database is at -05:30, the process in Newfoundland',
  tests: FRONTS,
  except: {},
  // POSIX counts to the west.
  enter: async () => enterPlainly({ settings: { timezone: '<-0530>+05:30' } }, { TZ: 'America/St_Johns' }),
}
