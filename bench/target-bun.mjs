// The same on Bun: BENCH_BUN names it.
import { svcOnBun } from './lib/svc-target.mjs'

export default svcOnBun(process.env.BENCH_BUN)
