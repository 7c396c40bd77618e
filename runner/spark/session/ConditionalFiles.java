package streamwright;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.s3a.RemoteFileChangedException;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager;
import org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager;

/**
 * Spark's files of a checkpoint on S3. A file is there whole once it is closed, as S3 renames nothing at once.
 *
 * One that replaces no other is written with If-None-Match: S3 itself lets the first of two writers win. Spark's own
 * class for this, AbortableStreamBasedCheckpointFileManager, only looks before it writes.
 */
public class ConditionalFiles extends FileSystemBasedCheckpointFileManager {
    public ConditionalFiles(Path path, Configuration configuration) {
        super(path, configuration);
    }

    public CheckpointFileManager.CancellableFSDataOutputStream createAtomic(Path path, boolean overwrites) {
        String way = overwrites ? "fs.s3a.create.performance" : "fs.option.create.conditional.overwrite";
        try {
            FSDataOutputStreamBuilder builder = fs().createFile(path).recursive().overwrite(overwrites);
            builder.must(way, true);
            return new Output(path, (FSDataOutputStream) builder.build());
        } catch (IOException error) {
            throw new UncheckedIOException(error.toString(), error);
        }
    }

    private static class Output extends CheckpointFileManager.CancellableFSDataOutputStream {
        private final Path path;
        private final FSDataOutputStream content;
        private boolean isOver = false;

        Output(Path path, FSDataOutputStream content) {
            super(content);
            this.path = path;
            this.content = content;
        }

        public synchronized void close() throws IOException {
            if (isOver) {
                return;
            }
            isOver = true;
            try {
                content.close();
            } catch (RemoteFileChangedException error) {
                throw new FileAlreadyExistsException(path + " is there already: " + error.getMessage());
            }
        }

        public synchronized void cancel() {
            if (!isOver) {
                isOver = true;
                content.abort();
            }
        }
    }
}
