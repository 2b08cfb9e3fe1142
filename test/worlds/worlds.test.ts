import t from 'tap'
import { askFronts } from './fronts/ask-fronts.ts'
import { WORLDS } from './worlds.ts'

/** The short form of `npm run worlds`: every front, in every world. */
t.setTimeout(600_000)

const only = process.env.SVC_TEST_WORLD
/** They take a minute: for `npm run worlds`. */
const LONG = ['broken-nats', 'killed-processes']

for (const world of WORLDS) {
  const isWanted = only === undefined ? !LONG.includes(world.name) : world.name === only
  if (isWanted) t.test(`${world.name}: ${world.about}`, (t) => askFronts(t, world))
}
