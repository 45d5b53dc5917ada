//! fio with its psync engine: threads that read and write with one system call each, as p4d does.
//!
//! What its options mean here: `norandommap` and `randrepeat=0` take any block at any time, `refill_buffers`
//! makes new data for each write, `overwrite` keeps it from finding room while it is timed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{Access, Case, Sample, Settings};

/// The file that it reads and writes.
pub(super) struct File(PathBuf);

impl File {
    pub(super) fn below(folder: &Path) -> Self {
        Self(folder.join("fio"))
    }

    /// Writes the whole file anew and commits it.
    fn lay_out(&self, settings: &Settings) -> Result<(), String> {
        if self.0.exists() {
            fs::remove_file(&self.0).map_err(|error| error.to_string())?;
        }
        let options = ["--rw=write", "--bs=1m", "--direct=1", "--end_fsync=1", "--refill_buffers"];
        self.fio(settings, &options.map(str::to_owned))?;
        Ok(())
    }

    /// Runs one case once. The file is written just before, as ours is: what the device still does with it
    /// slows both.
    pub(super) fn run(&self, case: Case, settings: &Settings) -> Result<Sample, String> {
        self.lay_out(settings)?;
        let access: &[&str] = match case.access {
            Access::Read => &["--rw=randread", "--direct=1"],
            Access::Write => &["--rw=randwrite", "--direct=1"],
            Access::Commit => &["--rw=randwrite", "--direct=0", "--fdatasync=1"],
        };
        let mut options: Vec<String> = access.iter().map(|&option| option.to_owned()).collect();
        options.extend([
            format!("--bs={}", case.block),
            format!("--numjobs={}", case.threads),
            format!("--runtime={}", settings.time.as_secs()),
            "--time_based".to_owned(),
            "--norandommap".to_owned(),
            "--randrepeat=0".to_owned(),
            "--refill_buffers".to_owned(),
            "--overwrite=1".to_owned(),
        ]);
        let job = self.fio(settings, &options)?;
        sample(&job, case.access).ok_or_else(|| format!("fio's answer is not understood: {job}"))
    }

    /// The one job of fio's answer.
    fn fio(&self, settings: &Settings, options: &[String]) -> Result<Value, String> {
        let mut command = Command::new("fio");
        command
            .args(["--name=beside", "--ioengine=psync", "--thread", "--group_reporting"])
            .args(["--output-format=json", "--eta=never"])
            .arg(format!("--filename={}", self.0.display()))
            .arg(format!("--size={}", settings.file_bytes))
            .args(options);
        let output = command.output().map_err(|error| format!("fio: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("fio: {}: {said}", output.status));
        }
        // Notes may stand before the answer.
        let json = text.find('{').map_or("", |begin| &text[begin..]);
        let mut answer: Value = serde_json::from_str(json).map_err(|e| format!("fio: {e}"))?;
        Ok(answer["jobs"][0].take())
    }
}

/// Times are its `clat` (of the system call alone), for commits those of `fdatasync`.
fn sample(job: &Value, access: Access) -> Option<Sample> {
    let side = match access {
        Access::Read => &job["read"],
        Access::Write | Access::Commit => &job["write"],
    };
    let times = match access {
        Access::Read | Access::Write => &side["clat_ns"],
        Access::Commit => &job["sync"]["lat_ns"],
    };
    let operations = side["total_ios"].as_f64()?;
    // Percent of the time that all threads ran, in milliseconds.
    let percent = job["usr_cpu"].as_f64()? + job["sys_cpu"].as_f64()?;
    let processor = percent / 100.0 * job["job_runtime"].as_f64()? / 1e3;
    Some(Sample {
        iops: side["iops"].as_f64()?,
        p50: Some(times["percentile"]["50.000000"].as_f64()? / 1e9),
        processor: Some(processor / operations),
    })
}
