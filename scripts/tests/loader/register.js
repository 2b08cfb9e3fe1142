/**
 * `node --import ./scripts/tests/loader/register.js FILE`: runs our TypeScript in a test. tsx does the same for everybody
 * else; it looks at every JavaScript module too, and that is most of what a short test costs.
 */
import { register } from 'node:module'
import { setFlagsFromString } from 'node:v8'

process.setSourceMapsEnabled(true)
// An embedded database lives for seconds here: to make its code faster takes longer than to run it, and 80 MB.
setFlagsFromString('--liftoff-only')
register('./hooks.js', import.meta.url)
