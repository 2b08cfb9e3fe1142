/**
 * Waits until a promise settles, but no longer than a time limit.
 * @param ms time limit in milliseconds
 * @returns `true` if the promise was fulfilled in time; `false` at the limit
 * @throws the rejection of the promise, if it came in time; later rejections are ignored
 */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([promise.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
