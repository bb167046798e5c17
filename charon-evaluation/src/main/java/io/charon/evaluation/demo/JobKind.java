/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.Locale;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.map.InverseMapper;
import org.apache.hadoop.mapreduce.lib.map.RegexMapper;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;

/** The kinds of best-effort jobs, built from MapReduce's example and library classes. */
public enum JobKind {
  /** Counts words. */
  WORDCOUNT {
    @Override
    void configure(Job job) {
      job.setMapperClass(WordCount.TokenizerMapper.class);
      job.setCombinerClass(WordCount.IntSumReducer.class);
      job.setReducerClass(WordCount.IntSumReducer.class);
      job.setOutputKeyClass(Text.class);
      job.setOutputValueClass(IntWritable.class);
    }
  },
  /** Counts the matches of {@link #GREP_PATTERN}. */
  GREP {
    @Override
    void configure(Job job) {
      job.getConfiguration().set(RegexMapper.PATTERN, GREP_PATTERN);
      job.setMapperClass(RegexMapper.class);
      job.setCombinerClass(LongSumReducer.class);
      job.setReducerClass(LongSumReducer.class);
      job.setOutputKeyClass(Text.class);
      job.setOutputValueClass(LongWritable.class);
    }
  },
  /** Sorts lines; each is written with its offset in its file. */
  SORT {
    @Override
    void configure(Job job) {
      job.setMapperClass(InverseMapper.class);
      job.setReducerClass(Reducer.class);
      job.setOutputKeyClass(Text.class);
      job.setOutputValueClass(LongWritable.class);
    }
  };

  static final String GREP_PATTERN = "[A-Za-z]+Exception";

  /** Sets the job's classes. */
  abstract void configure(Job job);

  /** Returns the job's name. Recurring jobs share a name, so that their peaks are learned. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
