/**
 * The `fast-check` of tests, with one seed for all runs, so that a run judges the change and can be repeated. `npm
 * run fuzz` uses new seeds and many more cases.
 */
import * as original from 'fast-check'

const seed = Number(process.env.SVC_TEST_SEED ?? 20_260_101)
/** Factor for the number of cases of a test. */
const times = Number(process.env.SVC_TEST_TIMES ?? 1)
const RUNS = 100

original.configureGlobal({ ...original.readConfigureGlobal(), seed, numRuns: RUNS * times })

export * from 'fast-check'
export const assert = (property, parameters) => original.assert(property, more(parameters))
export default { ...original.default, assert }

function more(parameters) {
  return parameters?.numRuns === undefined ? parameters : { ...parameters, numRuns: parameters.numRuns * times }
}
