import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

/** A full collection; what is measured behind it is what is held. */
export function collectGarbage(): void {
  gc()
  gc()
}
