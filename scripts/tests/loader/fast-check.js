/**
 * What tests get as `fast-check`: with one seed for a whole run, so that a run is judged by the change it runs on, and the
 * same run can be had again. `npm run fuzz` takes new seeds and many more cases.
 */
import * as original from 'fast-check'

const seed = Number(process.env.SVC_TEST_SEED ?? 20_260_101)
/** How many times as many cases as a test asks for. */
const times = Number(process.env.SVC_TEST_TIMES ?? 1)
const RUNS = 100

original.configureGlobal({ ...original.readConfigureGlobal(), seed, numRuns: RUNS * times })

export * from 'fast-check'
export const assert = (property, parameters) => original.assert(property, more(parameters))
export default { ...original.default, assert }

function more(parameters) {
  return parameters?.numRuns === undefined ? parameters : { ...parameters, numRuns: parameters.numRuns * times }
}
