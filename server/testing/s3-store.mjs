import S3rver from '@20minutes/s3rver'

/**
 * An S3 store in a process of its own, so that tests can kill it. s3-server.ts starts it with port, folder and bucket.
 */

const [port, directory, bucket] = process.argv.slice(2)

const server = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  directory,
  silent: true,
  configureBuckets: [{ name: bucket, configs: [] }],
})

// S3rver checks the signature of the bucket's URL as if it had no trailing slash; real stores check the URL as it was
// sent.
server.middleware.splice(-1, 0, (context, next) => {
  if (context.path === `/${bucket}/`) {
    context.state.vhost = true
    context.mountPath = '/'
  }
  return next()
})

await server.run()
process.stdout.write('listening\n')
