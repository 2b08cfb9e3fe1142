// svc as a target of the benchmark kit: `node run.mjs --targets ceiling-20,pipeline-20,/path/to/bench/target.mjs`.
import { svcTarget } from './lib/svc-target.mjs'

export default svcTarget(process.env.BENCH_SVC_NODE ?? process.execPath)
