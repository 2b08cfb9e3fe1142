/**
 * Waits for a promise up to a limit.
 * @param ms limit in milliseconds
 * @returns whether the promise settled in time
 * @throws its rejection, if it came in time; later rejections are ignored
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
